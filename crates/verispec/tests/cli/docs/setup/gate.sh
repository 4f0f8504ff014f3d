cp -r SpecV/model_outputs/t2i/model-a SpecV/model_outputs/t2i/old
cp -r SpecV/model_outputs/t2i/model-b SpecV/model_outputs/t2i/new
ask OLD-RUN gpt-4.1 old
ask NEW-RUN gpt-4.1 new
ask RUN gpt-4.1 old,new
