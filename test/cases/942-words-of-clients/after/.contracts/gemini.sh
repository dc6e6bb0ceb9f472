printf 'Please set an Auth method in your %s/.gemini/settings.json or specify GEMINI_API_KEY\n' "$GEMINI_CLI_HOME" >&2
exit 41
