import type { HearthTopic } from './intent.ts';

/** What hearth is, its models, its settings and its commands. */
export const modelTopics: readonly HearthTopic[] = [
  {
    what: '(hearth|this program|this server|this software)',
    questions: [
      'what (does|can) hearth (do|)?',
      'what is hearth (about|used for|made for)?',
      'who needs hearth?',
    ],
    answer:
      'hearth is one program that turns one computer into a private model service with an OpenAI-style API.',
  },
  {
    how: '(start|run|launch|install|set up|try) (hearth|the server|the service)',
    questions: ['(what do I need|what is needed) to (start|run) hearth?'],
    answer:
      'Run `npm install && npm start`. hearth then serves on http://127.0.0.1:8080/v1 and prints a key once.',
  },
  {
    how: '(stop|end|shut down|quit) (hearth|the server|the service)',
    questions: ['what happens (when I stop|when I end) (hearth|the server)?'],
    answer: 'Press Ctrl-C or send SIGTERM. Running answers get up to 30 seconds to finish.',
  },
  {
    how: '(list|see|show|view) (all|the|my|available) models',
    questions: ['(which|what) models (are there|do I have|does hearth have|can I use|are available)?'],
    answer: 'Run `hearth models list`, or ask `GET /v1/models`.',
  },
  {
    how: '(pull|download|fetch|get|add|install) (a|another|a new|one more) model',
    questions: [
      '(where|how) do I get (a model|models|more models)?',
      'can hearth (download|pull|fetch) models?',
    ],
    answer:
      'Run `hearth models pull hf:Qwen/Qwen3-0.6B-GGUF:Q8_0`, or another name. Then it is served at once.',
  },
  {
    what: '(the demo model|the embedded model|the demo in hearth)',
    how: '(turn off|switch off|hide|remove|disable) the demo model',
    questions: [
      '(which|what) model comes with hearth?',
      'does hearth (come with|bring|have) a model(| of its own)?',
    ],
    answer: 'hearth-demo comes with hearth, for trying things out. `demo: false` in `hearth.yaml` hides it.',
  },
  {
    how: '(get|find|use|have) (a better|a bigger|a larger|a good|a real|a smarter) model',
    questions: ['(which|what) model (should I use|is better than you|do you recommend|is good)?'],
    answer: 'Run `hearth models pull`: it lists good models. Then pull one by its name.',
  },
  {
    how: '(remove|delete|drop|uninstall|get rid of) (a|an old|my|one) model',
    questions: ['how do I free (the space|the disk space) of a model?'],
    answer: 'Run `hearth models rm ID`. It removes a pulled model.',
  },
  {
    how: '(see|show|get|read) (details of|more about|facts about|everything about) a model',
    questions: ['what does hearth know (of|about) a model?'],
    answer: 'Run `hearth models show ID`.',
  },
  {
    how: '(use|serve|add) (my own|a local|local|my) (model files|GGUF files|models|model file|GGUF file)',
    what: '(HEARTH_MODELS_DIR|--models-dir|the models folder)',
    questions: ['I have a GGUF file. (What now|What do I do|How do I use it)?'],
    answer: 'Put the GGUF files into a folder and start hearth with `--models-dir FOLDER`.',
  },
  {
    questions: [
      'where (are (the |pulled |downloaded |my |)models (stored|kept|saved|)|do (the |)models live)?',
      'where does hearth (keep|store|save|put) (the |pulled |downloaded |my |)models?',
      '(in which folder|where on disk) are the models?',
    ],
    answer: 'Pulled models are in the folder `models` of the data folder, `~/.local/share/hearth/models`.',
  },
  {
    what: '(the data folder|--data-dir|the data directory|HEARTH_DATA_DIR)',
    questions: [
      'where (is|does hearth keep|does hearth store) (the data|my data|its data|the database|the data folder)?',
      '(which|what) folder does hearth (use|write to)?',
    ],
    how: '(change|move|set|choose) (the data folder|the data directory|where data is kept)',
    answer: 'The data folder is `~/.local/share/hearth`. Another one is set with `--data-dir FOLDER`.',
  },
  {
    how: '(back up|save|copy|make a backup of|restore) (hearth|my data|the data|the database|everything)',
    what: '(a backup|the backup)',
    answer:
      'Stop hearth and copy its data folder, `~/.local/share/hearth`: accounts, keys, usage and models are in it.',
  },
  {
    how: '(change|set|choose) the port',
    what: '(the port|the default port|--port|HEARTH_PORT)',
    questions: [
      '(on which|which|what) port (does hearth use|is used|does hearth listen on|is the default|does it run on)?',
    ],
    answer: 'hearth listens on port 8080. Another one is set with `--port NUMBER`.',
  },
  {
    how: '(reach|use|open) hearth from (another computer|another machine|the network|my phone)',
    what: '(the host setting|--host|HEARTH_HOST|the host)',
    questions: ['(on which|which|what) (address|host) does hearth (listen on|use)?'],
    answer:
      'hearth listens on 127.0.0.1 only. Start it with `--host 0.0.0.0` to reach it from other computers.',
  },
  {
    what: '(the config file|hearth.yaml|the configuration file|the configuration)',
    how: '(configure|set up|change the settings of) (hearth|the server)',
    questions: ['where (is|are) the (configuration|config file|settings|config)?'],
    answer: 'The settings are in `hearth.yaml`, or in another file given with `--config FILE`.',
  },
  {
    questions: [
      '(which|what) setting wins(, the flag or the file|)?',
      'in which order are settings read?',
      'do flags win over (the file|the environment)?',
      'what is stronger, a flag or the (file|environment)?',
    ],
    answer: 'Flags win over the environment, the environment over the file, the file over the defaults.',
  },
  {
    what: '(an alias|a model alias|aliases)',
    how: '(give a model another name|rename a model|use another name for a model|set an alias)',
    answer: 'Write `aliases: [name]` under the model in `hearth.yaml`. It then answers to that name too.',
  },
  {
    what: '(the context|the context length|the context size|context in hearth.yaml)',
    how: '(change|set|raise|limit) the (context|context length|context size) of a model',
    answer: 'Set `context: 8192` under the model in `hearth.yaml`. It counts the tokens of one conversation.',
  },
  {
    what: '(parallel|the parallel setting)',
    how: '(serve|answer|run) (several|many|more) (users|conversations|requests) at once',
    answer: '`parallel: 4` under a model in `hearth.yaml` lets 4 conversations be computed together.',
  },
  {
    what: '(threads|the threads setting)',
    how: '(set|change|limit) the number of (threads|cores)',
    questions: ['how many (threads|cores|CPUs) does hearth use?'],
    answer: 'Set `threads` under the model in `hearth.yaml`. `auto` takes the physical cores.',
  },
  {
    what: '(gpuLayers|the GPU setting)',
    how: '(use|turn on|enable|run on) (a|the|my) (GPU|graphics card)',
    questions: ['(does hearth|can hearth) (use|need|support|run on) (a GPU|the GPU|my GPU|a graphics card)?'],
    answer:
      'hearth uses a GPU where there is one, and needs none. `gpuLayers` in `hearth.yaml` sets how much.',
  },
  {
    what: '(keepAlive|keep-alive|keep alive|the keepAlive setting)',
    how: '(keep a model loaded|keep a model in memory|unload a model after a while)',
    questions: ['when (is|does hearth) (a model unloaded|unload a model)?'],
    answer: 'A model is unloaded after 30 minutes without a request. `keepAlive: -1` keeps it loaded.',
  },
  {
    what: '(preload|the preload setting)',
    how: '(load a model at start|load a model right away|preload a model)',
    answer: 'Set `preload: true` under the model in `hearth.yaml`. It is then loaded when hearth starts.',
  },
  {
    questions: [
      '(which|what) (model |file |)(formats|kinds of files) (does hearth|can hearth) (support|read|load|take)?',
      '(which|what) (kind of|) models (can hearth run|does hearth run|run in hearth|work)?',
    ],
    what: '(GGUF|a GGUF file)',
    answer: 'hearth runs quantized chat models in GGUF files, and whisper models for speech.',
  },
  {
    what: '(hearth doctor|the doctor|the doctor command)',
    how: '(check|test) (my machine|this machine|what this computer can do|my computer)',
    questions: ['what does (hearth doctor|the doctor|doctor) do?'],
    answer: '`hearth doctor` says what this machine can do: CPU, GPU, memory, disk, and each model.',
  },
  {
    what: '(hearth chat|the chat command)',
    how: '(chat|talk|speak) (with|to) a model in (the|a|my) (terminal|console|shell)',
    questions: ['what does (hearth chat|the chat command) do?'],
    answer: 'Run `hearth chat` and type. `hearth chat MODEL` talks with another model.',
  },
  {
    what: '(hearth transcribe|the transcribe command|transcription)',
    how: '(transcribe|turn into text|write down) (a file|an audio file|a recording|speech|audio)',
    questions: ['can hearth (understand|transcribe|hear) (speech|audio|recordings)?'],
    answer: 'Run `hearth transcribe FILE`, or send the file to `POST /v1/audio/transcriptions`.',
  },
  {
    what: '(--json|the --json flag)',
    how: '(get|print|have) (JSON|json output|the output as JSON) from (a command|the commands)',
    answer: 'Add `--json` to the command. It then prints one JSON document.',
  },
  {
    how: '(see|read|change) (the logs|the log|the log level|what hearth logs)',
    what: '(the log level|--log-level|the log)',
    questions: ['where (are|does hearth write) (the |its |)logs?'],
    answer: 'Logs go to stderr. `--log-level debug` shows more. Prompts and keys are not logged.',
  },
  {
    questions: [
      '(does hearth|will hearth|can hearth) (send|share|leak) (my data|my prompts|anything|data) (anywhere|to others|to the cloud|to anyone)?',
      'is (hearth|my data|it) (private|safe|secure)?',
      '(who|can anyone|can somebody) (sees|see|reads|read) my (prompts|data|chats)?',
      'what about (privacy|my privacy|data protection)?',
    ],
    answer:
      'Everything stays on this computer: models run locally, and prompts are neither sent away nor logged.',
  },
  {
    questions: [
      '(does hearth|do I) need (the internet|a network|internet|to be online)(| to run)?',
      '(does|can) hearth (work|run) (offline|without internet|without a network|without the internet)?',
    ],
    answer: 'hearth works without a network. Only pulling a model needs one.',
  },
  {
    questions: [
      '(what|which) licence (has hearth|does hearth have|is hearth under)?',
      'is hearth (free|open source)?',
      'may I (use|change|sell) hearth?',
      '(what is|what about) the (licence|license) (of hearth|)?',
    ],
    answer: 'hearth is free software under the licence Apache-2.0.',
  },
  {
    questions: [
      '(what is|what are) hearth (written|made|built) (in|with|of)?',
      '(which|what) (programming language|language|engine) (is hearth written in|does hearth use)?',
      'what runs the models(| in hearth)?',
    ],
    answer: 'hearth is written in TypeScript on Node. llama.cpp runs the models in its own process.',
  },
  {
    questions: [
      '(what|which) (commands|command line commands) (are there|does hearth have|can I use|exist)?',
      '(list|show|name) (the|all) (hearth |)commands.',
    ],
    answer: 'The commands are serve, models, accounts, keys, usage, chat, transcribe and doctor.',
  },
];
