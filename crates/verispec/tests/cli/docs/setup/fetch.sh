# A checkout as it is cloned: without images and outputs.
rm -r SpecV/eval_data/*/images SpecV/model_outputs
