import type { HearthTopic } from './intent.ts';

const model = '(model|model|language model|chat model)';

/** What hearth is, its models and its commands. */
export const modelTopics: readonly HearthTopic[] = [
  {
    what: '(hearth|hearth|this program|this server|this software|the program hearth|the hearth server|the project hearth|this thing called hearth)',
    unsure:
      '(what hearth (is|does|is for|is good for|is about)|what this (program|server|software) (is|does|is for)|what I can do with hearth|who needs hearth|why somebody would use hearth)',
    questions: [
      'what (does|can) (hearth|this program|this server) do(| for me)?',
      'what is hearth (about|used for|made for|there for|meant for)?',
      '(who (needs|uses) hearth|why would anybody (need|use) hearth|for whom is hearth)?',
      '(describe|explain|define|summarize) hearth in (one|a) sentence.',
      '(I am new here|I just installed this|I have never heard of hearth). What (is hearth|is it|does hearth do|is this program for)?',
      'hearth(?|: what is that?|, what is it?)',
      'is hearth (a program|a server|a model|a company|a website)?',
    ],
    answer:
      'hearth is one program that turns one computer into a private model service with an OpenAI-style API.',
  },
  {
    how: '(start|run|launch|install|set up|try|boot|bring up|fire up|get started with|try out|deploy|begin with|use) (hearth|the server|the service|the hearth server|hearth for the first time)',
    unsure:
      '(how hearth is (started|installed|launched)|how to get hearth (running|up)|what is needed to start hearth|which command starts (hearth|the server)|what to type to start the server)',
    story:
      '((I|we) have just (cloned|downloaded) hearth|hearth is (not running|not started yet)|the server is (down|not running|off))',
    questions: [
      '(what do I need|what is needed|what must I do|what do I type) to (start|run|install|launch) hearth?',
      '(which|what) command (starts|runs|launches|installs) (hearth|the server|the service)?',
      '(start|run|launch|install) (hearth|server|the server)(|?)',
      'how is (hearth|the server) (started|installed|launched|set up)?',
      'how do I get hearth (running|up and running|to run|to start|going)?',
    ],
    answer:
      'Run `npm install && npm start`. hearth then serves on http://127.0.0.1:8080/v1 and prints a key once.',
  },
  {
    how: '(stop|end|shut down|quit|halt|terminate|close|turn off|switch off|exit|kill|bring down) (hearth|the server|the service|the running server|the hearth server|the program)',
    unsure:
      '(how (hearth|the server) is (stopped|ended|shut down|closed)|how to (stop|end|quit) (hearth|the server)|what happens to running answers when hearth stops|how long hearth takes to stop)',
    questions: [
      'what happens (when I stop|when I end|if I quit|if I stop|on stopping) (hearth|the server)?',
      'do running (answers|requests) (finish|end|get lost|break off) when (hearth|the server) stops?',
      '(stop|quit|shut down|end|exit) (hearth|server|the server)(|?)',
      '(which|what) (key|command|signal) (stops|ends|quits|terminates) (hearth|the server)?',
      '(can|may) I just (close|kill|interrupt) (hearth|the server)?',
    ],
    answer: 'Press Ctrl-C or send SIGTERM. Running answers get up to 30 seconds to finish.',
  },
  {
    how: `((list|see|show|view|display|print|check|look at|enumerate|get a list of) (all|the|my|available|installed|all my|all the|the available|the installed) ${model}s|see (which|what) ${model}s (there are|are installed|are there|I have|hearth has)|(find out|check) how many models (there are|I have))`,
    what: '(hearth models list|the list of models|the model list|the models list command)',
    unsure: `((which|what|how many) ${model}s (there are|I have|are installed|are available|hearth has|I can use|are on this machine|are served)|the ids of my models)`,
    questions: [
      `(which|what|how many) ${model}s (are there|do I have|does hearth have|can I use|are available|are installed|are on this machine|does hearth serve|can I choose from|exist|do we have)?`,
      `(list|show|print|give me|show me|name) (the|all|my|all the|all my|the installed|the available) ${model}s.`,
      '(where|how) can I see (my|all|the) models?',
      '(list|show|my|all|available|installed) models(|?)',
      'how do I find the id of a model?',
    ],
    answer: 'Run `hearth models list`, or ask `GET /v1/models`.',
  },
  {
    how: `((pull|download|fetch|get|add|install|load down|obtain|bring in|import) (a|another|a new|one more|a further|some other|a second|an extra) ${model}(||| from the hub| from Hugging Face| from the internet)|(pull|download|fetch|get|add|install) {model}|(have|get) more models)`,
    unsure:
      '(how to (pull|download|get|add) (a model|another model|{model})|where (models|more models) come from|how models get onto this machine|which command (pulls|downloads) a model)',
    story:
      '(I (want|need|would like) (another|one more|a second|a new) model|{model} is not (here|installed) yet|(a colleague|{person}) recommends {model})',
    questions: [
      '(where|how|from where) (do I|can we|do we) get (a model|models|more models|another model|other models|{model})?',
      'can hearth (download|pull|fetch|get|install) (models|a model|other models|models by itself|{model})?',
      '(pull|download|fetch|install|get|add) (a model|another model|{model}|a new model|model)(.|?)',
      'how are (models|new models) (downloaded|pulled|installed|added|fetched)?',
      'what does hearth models pull do?',
    ],
    answer:
      'Run `hearth models pull hf:Qwen/Qwen3-0.6B-GGUF:Q8_0`, or another name. Then it is served at once.',
  },
  {
    what: '(the demo model|the embedded model|the demo in hearth|the built-in model|the included model|the demo|the model that comes with hearth|the bundled model)',
    how: '(turn off|switch off|hide|remove|disable|get rid of|deactivate|leave out|not show|not serve) (the demo model|the demo|hearth-demo|the built-in model|the model hearth-demo|the included model)',
    unsure:
      '(which model (comes with hearth|is built in|is included|is the demo)|how to (hide|turn off|remove|disable) (the demo model|hearth-demo|the demo)|whether hearth comes with a model)',
    questions: [
      '(which|what) model (comes with hearth|is included|is built in|is embedded in hearth|does hearth bring)?',
      'does hearth (come with|bring|have|include|ship with|contain) (a|any) model(| of its own)?',
      '(demo off|hide demo|disable demo|demo model|remove hearth-demo)(|?)',
      'I do not (need|want|use) (the demo model|hearth-demo|the demo) (any more|now that I have a better one|in the list). (How do I hide it|Can I hide it|Can I turn it off)?',
    ],
    answer: 'hearth-demo comes with hearth, for trying things out. `demo: false` in `hearth.yaml` hides it.',
  },
  {
    how: '(get|find|use|have|choose|select|try|pick) (a better|a bigger|a larger|a good|a real|a smarter|a stronger|a cleverer|a more capable|a proper|a serious|the best) model|get (better|smarter|real|good|more useful) answers',
    unsure:
      '(which model (I should use|is better than you|is good|fits my machine|you recommend|is the best for me|suits this computer|to choose)|how to get better answers)',
    story:
      '(this model is too (small|weak|stupid|simple|tiny) (for me|for my work|)|the answers of the demo are (bad|poor|too simple)|I (need|want) a (better|bigger|larger|smarter|real) model)',
    questions: [
      '(which|what) (other |)model (should I use|is better than you|do you recommend|is good|should I pull|is best|fits this machine|knows more|is smarter than hearth-demo)?',
      '(is there|are there|do you know) (a better model|better models|larger models|a bigger model|models that know more|a smarter one)(|?)',
      '(better|bigger|recommended|good|best|smarter) model(|?)',
      'can you recommend (a|a good|another|a better) model?',
    ],
    answer: 'Run `hearth models pull`: it lists good models. Then pull one by its name.',
  },
  {
    how:
      `((remove|delete|drop|uninstall|get rid of|erase|throw away|wipe|discard|clear|take away|throw out|clean up|purge) (a|an old|my|one|the|some|this|that|an unused|a big|a pulled|a downloaded|the old|one of my|a no longer needed) ${model}(||| from the disk| from this machine| again)` +
      '|(remove|delete|uninstall|drop|erase) ({model}|the model {model}|{model} from the disk)|(free|regain|get back|win back) (the disk space|the space|the gigabytes|the room) (of|that is taken by) (a model|{model}|an old model)|free disk space|make room on (the|my) disk)',
    unsure:
      '(how (a model|{model}|an old model) is (removed|deleted|uninstalled)|which command (removes|deletes|uninstalls|drops) (a model|{model})|how to free the space of a model|how I get rid of (a model|{model}))',
    story:
      '((my|the) disk is (full|nearly full|almost full) (of models|because of the models)|{model} (takes|needs|uses) too much (space|room|disk)|I (no longer|do not) (need|use|want) (this model|{model}|one of the models|the model {model})|I pulled (the wrong model|{model} by mistake))',
    questions: [
      'how do I free (the space|the disk space|the room) of a model?',
      '(remove|delete|uninstall|drop|erase|please remove|please delete) (this model|{model}|the model {model}|my model|an old model).',
      '(can|may|could) (I|we) (remove|delete|uninstall|drop) (a model|{model}|pulled models|an old model)(| again)?',
      '(remove|delete|uninstall|rm|erase) model(|?)',
      '(this|an|that) old model(,|:) (can I|how do I|may I) (remove|delete|uninstall|get rid of) it?',
      '(can|could) (a|an old|a pulled) model be (removed|deleted|uninstalled|thrown away)?',
    ],
    answer: 'Run `hearth models rm ID`. It removes a pulled model.',
  },
  {
    how: '(see|show|get|read|look at|print|check|find) (details of|more about|facts about|everything about|the details of|information about|the properties of|the data of) (a model|one model|{model}|my model|a certain model)|(inspect|describe|examine) (a model|one model|{model})',
    unsure:
      '(what hearth knows about (a model|{model})|how (large|big) (a model|{model}) is|which context (a model|{model}) has|the details of {model})',
    questions: [
      'what does hearth know (of|about) (a model|{model}|one of my models)?',
      '(show|describe|inspect|print) (model details|details of {model}|{model}|the details of {model}).',
      '(model details|model info|show model|details of a model)(|?)',
      'how (big|large|old) is (my model|{model}|a model on disk)?',
    ],
    answer: 'Run `hearth models show ID`.',
  },
  {
    how: '(use|serve|add|run|load|offer|bring|include) (my own|a local|local|my|downloaded|existing|own|some) (model files|GGUF files|models|model file|GGUF file|gguf|GGUF models|files)|(point hearth to|tell hearth about|name|set) (a folder|my folder|the folder) (of|with) (models|GGUF files|model files)',
    what: '(HEARTH_MODELS_DIR|--models-dir|the --models-dir flag|a folder of models)',
    unsure:
      '(how to use (my own|local) (models|GGUF files)|where to put (a GGUF file|my GGUF files|my own models)|how hearth finds my own models)',
    story:
      '(I (have|downloaded|copied|made|bought|was given|converted) (a GGUF file|some GGUF files|a gguf|my own model|model files)(| already| from a friend| on a stick)|there is a (folder|directory) full of GGUF files on my disk)',
    questions: [
      'I have a GGUF file. (What now|What do I do|How do I use it|How does hearth see it)?',
      'where (do I put|should I put|must I put|do I drop) (a GGUF file|my GGUF files|my own models|a model file)?',
      '(local models|own models|GGUF folder|models-dir|my gguf files)(|?)',
      'can hearth (use|serve|run|load) (my own|local|already downloaded) (models|GGUF files|model files)?',
    ],
    answer: 'Put the GGUF files into a folder and start hearth with `--models-dir FOLDER`.',
  },
  {
    where:
      '(the|its|my|pulled|downloaded|the pulled|the downloaded|all the) (models|model files|GGUF files|language models|weights)|a (pulled|downloaded) model|{model} on disk|the model that I (pulled|downloaded)',
    unsure:
      '(where (the |pulled |downloaded |my |)(models|model files|weights) (are|live|are stored|are kept|are saved|end up|lie|go)|in which folder the models are|where a pull (goes|ends up|is saved))',
    questions: [
      'where (are|lie) (the |pulled |downloaded |my |all the |)(models|model files|weights) (stored|kept|saved|put|located|on disk|)?',
      'where do (the |pulled |my |)(models|model files|weights) (live|go|lie|end up|land)?',
      '(in which folder|where on disk|in which directory|in what place|on which path) are (the |my |pulled |)(models|model files)?',
      'where does (a download|a pull|a pulled model|a downloaded model|{model}) (go|end up|land)?',
      '(model|models) (folder|path|location|directory|storage)(|?)',
      'what is the (folder|path|directory) of (the |)(pulled |downloaded |)models?',
    ],
    answer: 'Pulled models are in the folder `models` of the data folder, `~/.local/share/hearth/models`.',
  },
  {
    story:
      '((a|my|the) (pull|download) (was cut|broke off|stopped|failed|was interrupted|died|hangs|did not finish|ended in the middle)|the (connection|network|power|line) (was lost|broke|went down) during a (pull|download)|I stopped a (pull|download) (halfway|by accident))',
    how: '(continue|resume|go on with|restart|complete|finish) (a|an interrupted|a broken|a stopped|a cut|a failed) (pull|download)',
    whether:
      '(a (pull|download) (goes on|continues|can be resumed) after (a cut|a break|an interruption)|I (lose|must repeat) a (pull|download) that was (cut|interrupted))',
    questions: [
      'what happens (if|when) (a|my) (pull|download) is (cut|interrupted|stopped)?',
      '(resume|continue) (pull|download)(|?)',
      'must I (begin|start) (a download|a pull) from the beginning (after a cut|again)?',
    ],
    answer: 'Run the same pull once more: it goes on where it stopped.',
  },
  {
    how: '(pull|download|fetch|get) (a gated|a private|a protected|a restricted) model|(give|pass|set) (a|my) (Hugging Face|hub|HF) token|log in to Hugging Face',
    what: '(HF_TOKEN|the HF_TOKEN variable|the Hugging Face token|a token for Hugging Face)',
    story:
      '((the hub|Hugging Face) (refuses|wants a token|asks for a login|says that the model is gated)|my model is (gated|private) on Hugging Face)',
    unsure: '(where the Hugging Face token goes|how to pull a (gated|private) model)',
    answer: 'Set `HF_TOKEN` to your Hugging Face token and pull the model again.',
  },
  {
    unsure:
      '((which|what) (formats|kinds of files|model formats|file formats|kinds of models) hearth (supports|reads|runs|loads|takes)|which models (run|work) in hearth|what (a GGUF file|GGUF) is)',
    what: '(GGUF|a GGUF file|the GGUF format|the format of models|the model format)',
    whether:
      '(hearth (runs|supports|loads|reads) (GGUF|safetensors|ONNX|PyTorch files|quantized models|whisper models))',
    questions: [
      '(which|what) (model |file |)(formats|kinds of files|file types) (does hearth|can hearth) (support|read|load|take|run|open)?',
      '(which|what) (kind of|kinds of|) models (can hearth run|does hearth run|run in hearth|work|work with hearth|are possible|does hearth support)?',
      '(supported formats|model formats|gguf|supported models)(|?)',
      'can hearth (run|load|read|use) (safetensors|GGUF|gguf files|quantized models|ONNX|any model)?',
    ],
    answer: 'hearth runs quantized chat models in GGUF files, and whisper models for speech.',
  },
  {
    what: '(hearth doctor|the doctor|the doctor command|the command doctor|hearth doctor in a few words)',
    how: '(check|test|examine|inspect|look at|diagnose|survey) (my machine|this machine|what this computer can do|my computer|my hardware|this computer|the hardware|what is wrong|the GPU and the memory)|find out (what this machine can do|whether my machine is fit|what my computer can run|why a model does not run)',
    unsure:
      '(what (this machine|my computer|this computer) can (do|run)|whether (my machine|this computer|my hardware) is (good|fast|fit) enough|how much memory hearth sees|what hearth doctor does)',
    story:
      '(something is (wrong|broken|odd) with (hearth|my setup)|I do not know whether my machine is (fit|fast enough|good enough))',
    questions: [
      'what does (hearth doctor|the doctor|doctor|the doctor command) (do|check|say|tell me|show)?',
      '(doctor|diagnose|check machine|hardware check|check my hardware)(|?)',
      'is (my machine|this computer|my hardware|my laptop) (good|fast|strong|big) enough (for hearth|)?',
    ],
    answer: '`hearth doctor` says what this machine can do: CPU, GPU, memory, disk, and each model.',
  },
  {
    what: '(hearth chat|the chat command|the command chat|chat in the terminal|the terminal chat)',
    how: '(chat|talk|speak) (with|to) (a|the|my|another|some|one) model (in|from|inside|within|on) (the|a|my) (terminal|console|shell|command line|command prompt)|(talk|chat|speak) (to|with) {model} (in|from) (the|a|my) (terminal|console|shell|command line)|(talk|chat|speak) (to|with) (a model|{model}) without (a client|a program|writing code|an app|a browser)|(open|start|begin|have) (a chat|a conversation|a talk) (in|on|from) (the|my|a) (terminal|console|shell|command line)|try a model (in the terminal|from the shell|on the command line)',
    unsure:
      '(how to (chat|talk|speak) (with a model |to a model |)(in|from) the (terminal|console|shell)|which command (opens|starts) a (chat|conversation)|whether I can (chat|talk) in the terminal)',
    story:
      '(I have no (client|app|chat program|browser) (yet|here) and want to (chat|talk with a model)|I sit at a (terminal|console|shell) and want to (talk|chat|speak) (with|to) a model)',
    questions: [
      'what does (hearth chat|the chat command|the command chat) do?',
      'can I (talk|chat|speak) (with|to) (a model|it|the model|{model}) (in|from) (the|a|my) (terminal|console|shell|command line)?',
      '(terminal chat|chat in terminal|console chat|chat from shell|talk in the terminal)(|?)',
      'is there (a chat|a conversation mode|something to chat) (in|for) the (terminal|console|shell|command line)?',
      '(which|what) command (starts|opens|begins|gives me) a (chat|conversation)(| in the terminal| with a model)?',
    ],
    answer: 'Run `hearth chat` and type. `hearth chat MODEL` talks with another model.',
  },
  {
    what: '(--json|the --json flag|the JSON output|json output of commands|the flag --json)',
    how: '(get|print|have|receive|produce|see) (JSON|json output|the output as JSON|machine-readable output|the result as JSON|JSON instead of a table) from (a command|the commands|the command line|hearth models list|hearth usage)|use the commands in (a script|scripts|a program)|(parse|process|read) the output of (a command|the commands) (in a script|by a program)',
    unsure:
      '(how a command prints JSON|how to get JSON from a command|how scripts read the output of commands)',
    questions: [
      'can (the commands|a command|hearth usage|hearth keys list) print JSON?',
      '(command output as json|json flag|machine-readable output)(|?)',
    ],
    answer: 'Add `--json` to the command. It then prints one JSON document.',
  },
  {
    unsure:
      '((which|what) (commands|command line commands|subcommands) (there are|hearth has|I can use|exist)|the names of (all |the |)commands|what I can type after hearth)',
    what: '(the commands of hearth|the command line of hearth|the hearth command|the list of commands)',
    questions: [
      '(what|which|how many) (commands|command line commands|subcommands) (are there|does hearth have|can I use|exist|does hearth know|may I type|are available)?',
      '(list|show|name|print|give me|tell me) (the|all|all the|the available) (hearth |)commands.',
      '(commands|all commands|hearth commands|list of commands|command overview|hearth help)(|?)',
      'what can I (type|write|run) after (hearth|the word hearth)?',
      '(give me|I need|is there) (an overview|a list) of (the|all) (hearth |)commands(|.)',
    ],
    answer: 'The commands are serve, models, accounts, keys, usage, chat, transcribe and doctor.',
  },
];
