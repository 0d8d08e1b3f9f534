import type { HearthTopic } from './intent.ts';

/** Places, settings and how hearth is run. */
export const settingTopics: readonly HearthTopic[] = [
  {
    what: '(the data folder|--data-dir|the data directory|HEARTH_DATA_DIR|the --data-dir flag|the database of hearth|the database)',
    where:
      '(the data|my data|its data|the database|the data folder|the accounts and the usage|its files|the SQLite file|the database file|everything that it stores|the data of hearth)',
    how: '(change|move|set|choose|relocate|define|name|use another place for) (the data folder|the data directory|where data is kept|the place of the database|the folder of the data)|(put|keep|store|move) (the data|the database|all data|hearth data) (on another disk|somewhere else|in another folder|on a bigger disk|in a folder of my choice)',
    unsure:
      '(where (the data|the database|my data|its data|everything) (is|lies|is kept|is stored|is saved)|(which|what) (folder|directory) hearth (uses|writes to)|where hearth (keeps|stores) (its data|the database|everything)|how to (move|change) the data folder)',
    questions: [
      'where (is|lies|do I find) (the data|my data|the database|the data folder|the data directory)?',
      '(which|what) (folder|directory) does hearth (use|write to|need|keep its data in)?',
      '(data folder|data directory|database location|database path|data path|data-dir)(|?)',
      'where is (the data|the database|my data|everything) (stored|kept|saved)?',
    ],
    answer: 'The data folder is `~/.local/share/hearth`. Another one is set with `--data-dir FOLDER`.',
  },
  {
    how: '(back up|save|copy|make a backup of|restore|secure|archive|make a copy of|keep a copy of|protect) (hearth|my data|the data|the database|everything|all accounts and keys|the whole service|my hearth)|(move|transfer|bring|migrate) (hearth|everything|all accounts and keys) to (a new|another) (machine|computer|server)',
    what: '(a backup|the backup|a backup of hearth|the right way to back up)',
    unsure:
      '(how a backup is made|what belongs in a backup|which files to back up|what I have to save for a backup)',
    story:
      '((I am|we are) moving to a new (machine|server|computer)|I fear that my disk (fails|will fail|dies))',
    questions: [
      '(backup|make backup|back up hearth|restore backup|save everything)(|?)',
      '(which|what) files (belong in|do I need for|go into) a backup?',
      '(I need|I want|please make|how do I make) a backup.',
    ],
    answer:
      'Stop hearth and copy its data folder, `~/.local/share/hearth`: accounts, keys, usage and models are in it.',
  },
  {
    how: '(change|set|choose|define|pick|move|configure) (the port|the port of hearth|the port number|another port)|(run|start|serve) hearth on (another|a different|port 3000|port 9000|my own) port|(use|take|have) (another|a different|a free) port',
    what: '(the port|the default port|--port|HEARTH_PORT|the --port flag|the port of hearth|the port number)',
    unsure:
      '((which|what) port (hearth uses|hearth listens on|is used|is the default|I have to use|the server has)|how to (change|set) the port)',
    story:
      '(port 8080 is (taken|in use|used by another program|not free|busy|occupied)|(another program|something else|a second server) (uses|has|sits on) port 8080)',
    questions: [
      '(on which|which|what|on what) port (does hearth use|is used|does hearth listen on|is the default|does it run on|does hearth run on|is the server on|do I connect to)?',
      '(port|default port|change port|port number|other port)(|?)',
      '(can|may) (I|hearth) use (another|a different) port?',
    ],
    answer: 'hearth listens on port 8080. Another one is set with `--port NUMBER`.',
  },
  {
    how: '(reach|use|open|call|access|connect to|talk to|get to) hearth from (another computer|another machine|the network|my phone|outside|a second computer|my tablet|the next room|the living room|a different device|other devices|elsewhere in the house)|(share|open|offer|expose) hearth (in|to|on) (the|my|our) (network|home network|office|LAN)|let (other computers|my phone|others) (use|reach) hearth',
    what: '(the host setting|--host|HEARTH_HOST|the host|the --host flag|the listen address)',
    unsure:
      '((which|what) (address|host) hearth (listens on|uses|binds to)|how (others|other computers|my phone) can reach hearth|whether hearth can be reached from outside)',
    story:
      '((my phone|another computer|my colleague|a second machine|nobody else) (cannot|can not) (reach|see|connect to|find) hearth|hearth (works|can be reached) only on (this machine|the same computer|localhost))',
    questions: [
      '(on which|which|what) (address|host|interface) does hearth (listen on|use|bind to)?',
      '(network access|remote access|listen address|host setting|reach from phone)(|?)',
      'can (other computers|my phone|my colleagues|people in the network|others) (use|reach|see) hearth?',
    ],
    answer:
      'hearth listens on 127.0.0.1 only. Start it with `--host 0.0.0.0` to reach it from other computers.',
  },
  {
    what: '(the config file|hearth.yaml|the configuration file|the configuration|the settings file|the file hearth.yaml|--config|the --config flag)',
    where:
      '(the configuration|the config file|the settings|the config|its settings|the settings file|my settings|hearth.yaml)',
    how: '(configure|change the settings of|adjust|customize|change the configuration of) (hearth|the server|the service|my hearth)|(give|name|use|load) (another|a different|my own) (config file|configuration file)',
    unsure:
      '(where (the configuration|the config file|the settings|its settings) (is|are|can be found)|in which file the settings are|how hearth is configured|what the config file is called)',
    questions: [
      'where (is|are|do I find|do I change) (the configuration|the config file|the settings|the config)?',
      '(config|configuration|settings|config file|settings file)(|?)',
      '(what|which) file (has|holds|contains|is for) the settings?',
      'what is the (config file|configuration file|settings file) called?',
    ],
    answer: 'The settings are in `hearth.yaml`, or in another file given with `--config FILE`.',
  },
  {
    how: '(reload|read again|refresh|apply|activate) (the settings|the configuration|the config|hearth.yaml|the config file|my changes|changed plans|new plans) (|without a restart|while hearth runs)|(change|add) (models|plans) without a restart|avoid a restart after a change',
    what: '(SIGHUP|the SIGHUP signal|a reload|reloading the configuration)',
    whether:
      '(hearth (notices|reads|sees|takes) changes in hearth.yaml(| by itself| at once)|I have to restart hearth after a change|a restart is needed after a change)',
    unsure:
      '(how to reload the (settings|configuration)|when changes in hearth.yaml take effect|what SIGHUP does)',
    story:
      '(I (changed|edited|saved) hearth.yaml(| and nothing happened)|my change in hearth.yaml (has no effect|does nothing|is ignored))',
    answer: 'Send hearth SIGHUP: it reads models and plans again. Other settings need a restart.',
  },
  {
    unsure:
      '((which|what) setting (wins|is stronger|counts|comes first)|in which order settings are read|what wins, a flag or the (file|environment)|which has priority, (a flag|the environment) or the file)',
    whether:
      '((flags (win over|beat|override)|a flag (wins over|beats|overrides)) (the file|the environment|hearth.yaml)|the environment (wins|beats|comes) (over|before) (the file|hearth.yaml)|the file (wins|beats) (over |)(flags|the environment))',
    what: '(the order of settings|the priority of settings|the precedence of flags|the precedence of settings)',
    questions: [
      '(which|what) setting wins(, the flag or the file|, the file or the environment|)?',
      'in (which|what) order are settings (read|taken|applied)?',
      'do flags (win over|override|beat) (the file|the environment|hearth.yaml)?',
      'what is stronger, a flag or the (file|environment)?',
      '(the flag says one thing and the file another|my flag and my file disagree|I set it twice). (Which wins|What counts|Which one counts)?',
      '(precedence|order of settings|priority of settings|flag or file)(|?)',
    ],
    answer: 'Flags win over the environment, the environment over the file, the file over the defaults.',
  },
  {
    what: '(an alias|a model alias|aliases|the aliases of a model|the aliases setting|aliases in hearth.yaml)',
    how: '(give (a model|{model}) (another name|a second name|a nickname|a shorter name)|rename (a model|{model}|my model)|use another name for (a model|{model})|(set|add|define|make) an alias(| for a model| for {model})|(serve|offer) {model} under another name|(call|name) (a model|{model}) differently|change the name of (a model|{model}))',
    whether:
      '(a model can (have|get|carry) (another name|two names|several names|an alias)|a model can be renamed)',
    unsure: '(how a model gets another name|how to rename a model|what an alias is for)',
    story:
      '(my (client|app|program) (always asks for|insists on|only knows) (gpt-4o-mini|another model name|a fixed model name))',
    answer: 'Write `aliases: [name]` under the model in `hearth.yaml`. It then answers to that name too.',
  },
  {
    what: '(the context|the context length|the context size|context in hearth.yaml|the context window|the context setting)',
    how: '(change|set|raise|limit|increase|lower|choose|enlarge|shrink|extend) the (context|context length|context size|context window) (of a model|of {model}|of my model|)|(have|allow) (longer|more tokens in) conversations',
    unsure:
      '(how (long|large|big) a conversation (may|can) be|how to (raise|set|change) the context(| length| size)|what the context (is|counts|means))',
    questions: [
      '(context|context size|context length|context window|longer context)(|?)',
      'how many tokens (may|can) a conversation have?',
    ],
    answer: 'Set `context: 8192` under the model in `hearth.yaml`. It counts the tokens of one conversation.',
  },
  {
    what: '(parallel|the parallel setting|parallel in hearth.yaml|the setting parallel)',
    how: '(serve|answer|run|compute|handle|process) (several|many|more|multiple|four|some) (users|conversations|requests|people|chats) (at once|together|in parallel|at the same time|side by side)|let (several|two|more) (people|users) (chat|ask) at the same time',
    whether:
      '(hearth (answers|serves|handles) (several|many) (users|requests|people) (at once|in parallel|at the same time))',
    unsure:
      '(how many (conversations|requests|users) (run|are computed|are served) (at once|together|in parallel)|how to set the number of parallel requests)',
    answer: '`parallel: 4` under a model in `hearth.yaml` lets 4 conversations be computed together.',
  },
  {
    what: '(threads|the threads setting|threads in hearth.yaml|the number of threads)',
    how: '(set|change|limit|reduce|raise|choose|lower) the number of (threads|cores|CPU cores|processors)|(use|take|give hearth) (fewer|more|only two|all) (cores|threads|CPU cores)',
    unsure: '(how many (threads|cores|CPUs|processors) hearth (uses|takes|needs)|how to limit the cores)',
    questions: [
      'how many (threads|cores|CPUs|processors) does hearth (use|take|need)?',
      '(threads|cores|cpu cores|number of threads)(|?)',
    ],
    story:
      '(hearth (takes|uses) (all|too many) (cores|of my cores)|my computer is slow while hearth (runs|answers))',
    answer: 'Set `threads` under the model in `hearth.yaml`. `auto` takes the physical cores.',
  },
  {
    what: '(gpuLayers|the GPU setting|gpuLayers in hearth.yaml|the gpuLayers setting|GPU support)',
    how: '(use|turn on|enable|run on|switch on|activate|take) (a|the|my) (GPU|graphics card|video card|NVIDIA card|graphics processor)|run (a model|models|{model}) on (a|the|my) (GPU|graphics card)',
    whether:
      '(hearth (uses|needs|supports|runs on|wants|requires) (a GPU|the GPU|my GPU|a graphics card)|hearth works without (a GPU|a graphics card))',
    unsure: '(whether hearth (uses|needs) (a GPU|my GPU|a graphics card)|how to (use|enable) (the|my) GPU)',
    questions: [
      '(does hearth|can hearth) (use|need|support|run on|run without) (a GPU|the GPU|my GPU|a graphics card)?',
      '(gpu|use gpu|graphics card|gpu or cpu|gpu support)(|?)',
      '(do I|must I) (need|have|buy) a (GPU|graphics card)(| for hearth)?',
    ],
    answer:
      'hearth uses a GPU where there is one, and needs none. `gpuLayers` in `hearth.yaml` sets how much.',
  },
  {
    what: '(the memory setting|memory in hearth.yaml|the memory limit|the memory of models)',
    how: '(limit|set|cap|restrict|change|reduce|bound) (the memory|the RAM|how much memory|the memory of models|how much RAM) (|that hearth takes|for models|of hearth)|(give|leave) hearth (more|less) (memory|RAM)',
    unsure:
      '(how much (memory|RAM) (hearth uses|models may take|hearth takes|hearth may use)|how to limit the memory)',
    whether: '(hearth takes all (my|the) (memory|RAM)|the memory of hearth can be limited)',
    story: '(hearth (takes|uses|eats) too much (memory|RAM)|my (memory|RAM) is full)',
    questions: [
      'how much (memory|RAM) (does hearth|do models|may models) (use|take|need)?',
      '(memory|RAM|memory limit|limit memory)(|?)',
    ],
    answer: 'Set `memory: 12GiB` in `hearth.yaml`. `auto` lets models take three quarters of the memory.',
  },
  {
    what: '(keepAlive|keep-alive|keep alive|the keepAlive setting|keepAlive in hearth.yaml)',
    how: '(keep (a model|{model}|my model) (loaded|in memory|warm|ready|for ever)|unload a model (after a while|when it is not used|sooner|later)|(change|set) when a model is unloaded|stop hearth from unloading (a model|{model}))',
    unsure:
      '(when (a model is|models are|hearth) (unloaded|unloads a model)|how long a model stays (loaded|in memory)|how to keep a model loaded)',
    whether: '(a model stays (in memory|loaded) for ever|hearth unloads (models|idle models)(| by itself))',
    questions: [
      'when (is|does hearth) (a model unloaded|unload a model)?',
      'how long does a model stay (loaded|in memory)?',
      '(keep alive|unload|keep loaded|idle model)(|?)',
    ],
    answer: 'A model is unloaded after 30 minutes without a request. `keepAlive: -1` keeps it loaded.',
  },
  {
    what: '(preload|the preload setting|preload in hearth.yaml|the setting preload)',
    how: '(load (a model|{model}|my model) (at start|right away|when hearth starts|at once|in advance|at the start)|preload (a model|{model}|my model)|have (a model|{model}) ready (at start|from the start)|avoid the wait for the first answer)',
    unsure: '(how to load a model (at start|when hearth starts)|what preload does)',
    story: '(the first answer (takes long|is slow|takes ages) because the model is loaded then)',
    answer: 'Set `preload: true` under the model in `hearth.yaml`. It is then loaded when hearth starts.',
  },
  {
    how: '(see|read|change|find|look at|set|check|raise) (the logs|the log|the log level|what hearth logs|the log messages|log output)|(get|see|have) (more|detailed|debug) (log lines|logs|messages|output)|(debug|troubleshoot) hearth',
    what: '(the log level|--log-level|the log|HEARTH_LOG_LEVEL|the --log-level flag|the logs of hearth)',
    where: '(the logs|its logs|the log|the log messages|the log output|the log files)',
    unsure:
      '(where (the logs|its logs|log messages) (are|go|are written)|where hearth writes its logs|how to (see|get) more (logs|log lines)|what hearth logs)',
    questions: [
      'where (are|does hearth write|do I see|go) (the |its |)(logs|log messages)?',
      '(logs|log level|debug log|log file|more logging)(|?)',
      'are (prompts|keys|answers) (logged|in the log|written to the log)?',
    ],
    answer: 'Logs go to stderr. `--log-level debug` shows more. Prompts and keys are not logged.',
  },
  {
    whether:
      '(hearth (sends|shares|leaks|gives|uploads|passes) (my data|my prompts|anything|data|what I type) (anywhere|to others|to the cloud|to anyone|to a company|over the internet)|(my data|what I write|my prompts|my chats) (leaves|leave|stays on|stay on|remains on) this computer|(hearth|this) is (private|safe|secure|confidential)|(anyone|somebody|somebody else|a company) can (read|see) (my prompts|my chats|what I write|what I type))',
    unsure:
      '(who (sees|reads|can read) my (prompts|data|chats|questions)|what happens to my (data|prompts|chats|questions)|whether my (data|prompts|chats) stay (here|on this computer)|how private hearth is)',
    what: '(privacy in hearth|data protection in hearth|my privacy|the privacy of my prompts)',
    questions: [
      '(does hearth|will hearth|can hearth) (send|share|leak|upload|sell) (my data|my prompts|anything|data|what I type) (anywhere|to others|to the cloud|to anyone)?',
      'is (hearth|my data|it|what I write here|this) (private|safe|secure|confidential)?',
      '(who|who else|who exactly) (sees|reads|can see|can read) my (prompts|data|chats|questions)?',
      '(can anyone|can somebody|can a company|can others) (see|read) my (prompts|data|chats)?',
      'what about (privacy|my privacy|data protection|confidentiality)?',
      '(where do|do) my (prompts|questions|chats) (go|leave this computer|get sent somewhere)?',
      '(privacy|data protection|is it private)(|?)',
    ],
    answer:
      'Everything stays on this computer: models run locally, and prompts are neither sent away nor logged.',
  },
  {
    whether:
      '(hearth (works|runs|can run|functions|can work) (offline|without internet|without a network|without the internet|on a plane|in the mountains|with no connection)|hearth (needs|requires) (the internet|a network|a connection|to be online))',
    unsure:
      '(whether hearth (needs|requires) (the internet|a network|a connection)|whether hearth (works|runs) (offline|without internet)|what hearth needs the (network|internet) for)',
    story:
      '((I have|we have|there is) no (internet|network|connection) here|the internet is down|our network is (gone|broken|down))',
    questions: [
      '(does hearth|do I|must I) need (the internet|a network|internet|to be online|a connection)(| to run| to use hearth)?',
      '(does|can|will) hearth (work|run) (offline|without internet|without a network|without the internet|on a plane)?',
      '(offline|without internet|offline use|no network)(|?)',
      'what (does hearth need|is) the (network|internet) (for|needed for)?',
    ],
    answer: 'hearth works without a network. Only pulling a model needs one.',
  },
  {
    unsure:
      '((what|which) (licence|license) (hearth has|hearth is under|applies)|whether hearth is (free|open source|free software)|what hearth costs|whether I may (sell|change|use) hearth)',
    whether:
      '(hearth is (free|open source|free software|proprietary)|I may (use|change|sell|copy|share) hearth(| at work| in my company)|hearth (costs|is worth) (money|nothing))',
    what: '(the licence of hearth|the license of hearth|the licence|the terms of hearth)',
    questions: [
      '(what|which) (licence|license) (has hearth|does hearth have|is hearth under|applies to hearth)?',
      'is hearth (free|open source|free software|free of charge)?',
      '(may|can) (I|we|a company) (use|change|sell|copy|modify|share) hearth?',
      '(what|how much) does hearth cost?',
      '(licence|license|price|open source)(|?)',
    ],
    answer: 'hearth is free software under the licence Apache-2.0.',
  },
  {
    unsure:
      '((what|in which language) hearth is (written|made|built) in|(which|what) (programming language|engine) hearth uses|what runs the models(| in hearth)|on what hearth is built)',
    whether:
      '(hearth is (written|made) in (Python|Rust|TypeScript|Go|Java|C)|hearth uses (llama.cpp|PyTorch|Node|Ollama))',
    questions: [
      '(what|what language) is hearth (written|made|built|programmed) (in|with|of)?',
      '(which|what) (programming language|language|engine|runtime) (is hearth written in|does hearth use|runs hearth|is behind hearth)?',
      'what (runs|computes|executes) the models(| in hearth)?',
      'does hearth use (llama.cpp|Node|Python|PyTorch)?',
      'is hearth (written|programmed|made) in (Python|Rust|TypeScript|Go|Java)?',
      '(tech stack|programming language of hearth|engine of hearth|hearth source language)(|?)',
    ],
    answer: 'hearth is written in TypeScript on Node. llama.cpp runs the models in its own process.',
  },
  {
    how: '(run|start|install|set up|operate) hearth (as a service|with systemd|as a daemon|in the background|in Docker|in a container|with Docker|as a system service|at boot)|(build|make|get) (a Docker image|a container|an image) (of|for|with) hearth|start hearth (at boot|with the machine|automatically)',
    what: '(the Dockerfile|hearth.service|the systemd unit|the systemd service|the Docker image of hearth)',
    whether:
      '(hearth (runs|works|can run) (in Docker|in a container|with systemd|as a service)|there is a (Dockerfile|systemd unit|Docker image) for hearth)',
    unsure:
      '(how to run hearth (as a service|in Docker|in a container)|where the (Dockerfile|systemd unit) is)',
    questions: [
      'is there a (Dockerfile|Docker image|container|systemd unit|service file)(| for hearth)?',
      '(docker|systemd|container|run as service)(|?)',
    ],
    answer: 'See `scripts/deploy`: it has `hearth.service` for systemd and a `Dockerfile`.',
  },
];
