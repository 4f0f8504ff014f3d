# What the setups of pages use. Each runs in the page's folder before its first command.

# A run by an imaginary judge: ask RUN JUDGE MODELS [OPTION...]
ask() {
    run=$1 judge=$2 models=$3
    shift 3
    verispec judge specv --data SpecV --judge "openai:$judge" --models "$models" --run "$run" "$@" >/dev/null
}

# Everything that five models made.
all=model-a,model-b,gpt-image,nano_banana,bagel
