ask RUN gpt-4.1 model-a,model-b
for i in 1 2 3; do
    echo "{\"id\": \"t2i/1/$i\", \"kind\": \"specification\", \"track\": \"t2i\", \"instance\": \"1\", \"prompt\": \"A boat.\", \"question\": \"Boat $i?\", \"expected\": \"Yes\"}" >> set.jsonl
done
