mkdir -p elsewhere
mv active_tasks/in_progress/hello elsewhere/hello
sleep 600
