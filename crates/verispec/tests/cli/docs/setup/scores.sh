ask RUN gpt-4.1 model-a,model-b
