# The person's mv, while the agent lives; then the agent waits until it is stopped.
mv active_tasks/in_progress/hello active_tasks/aborted/hello
sleep 600
