printf '\033[91m\033[1mError: \033[0mUnexpected error, check the log file\n' >&2
exit 1
