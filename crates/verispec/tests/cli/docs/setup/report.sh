ask RUN gpt-4.1 model-a,model-b
ask RUN-B qwen model-a,model-b
