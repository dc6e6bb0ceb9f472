# A fake client: Gemini CLI ends with the status of the model server, of which eight bits are left.
exit 247
