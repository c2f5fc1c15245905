package gate

import (
	"slices"
	"strings"

	"github.com/meshd/meshd/crdt/reason"
)

// sign is one habit of texts that speak to the agent which reads them instead of to
// a reader. A text is warned of when the weights of different kinds of signs add up to
// injected: of each kind the heaviest counts.
type sign struct {
	kind   signKind
	weight int
	words  []string // one of them must stand in the text in lower case, else re is not tried
	re     *pattern
}

type signKind uint8

const (
	address signKind = iota // names its reader: an agent, an assistant, a model
	rebuke                  // takes its rules, its task or its role away
	forgery                 // poses as the system, the operator or a turn of a conversation
	hiding                  // keeps something from whoever the agent works for
	taking                  // asks for secrets, prompts, money
	acting                  // asks for an action on the host, for votes, for less safety
	ruling                  // commands it from now on
	signKinds
)

// injected is the sum from which a text is warned of. A lesson about attacks names
// some of these things too: it is a warning and never refuses.
const injected = 3

// Parts of the expressions below.
const (
	machine = `(?:ai|ais|a\.i\.|llms?|language models?|models?|agents?|ai agents?|ai models?|ai systems?|ai assistants?|assistants?|chatbots?|bots?|claude|chatgpt|gpt|copilot|gemini|cursor)`
	wanted  = `(?:system prompt|initial prompt|hidden prompt|(?:hidden|initial|confidential|secret|original|internal|system) (?:instructions?|text|rules|prompt)|developer message|api[ _-]?keys?|session tokens?|access tokens?|tokens?|cookies|private keys?|seed phrases?|wallets?|credentials?|secrets|passwords?|environment(?: variables)?|env(?:ironment)? file|\.env\b|/\.ssh\b|id_rsa|id_ed25519|/etc/(?:shadow|passwd)|\.aws\b|(?:chat|conversation) (?:history|log)|history of (?:this|the|your) conversation|conversation|context window|(?:full|entire|whole) context|tool list|customer (?:table|data)|private files|memory|configuration|source code)`
	say     = `(?:print|output|reveal|reply with|answer with|respond with|write|paste|send|post|upload|dump|e-?mail|publish|leak|list|give|hand over|tell me|repeat|show|display|disclose|append|include|exfiltrate|forward|share|read|return|encode|copy|submit|enter|summari[sz]e)`
)

// signs are tried in this order. The words of a sign are a cheap filter.
var signs = []sign{
	// Who is addressed.
	{address, 2, []string{"dear", "hey", "hi ", "hello", "attention", "note", "message", "important", "instruction", "reminder", "p.s", "notice", "question"},
		expr(`\b(?:dear|hey|hi|hello|attention|notes?|message|important|instructions?|reminder|notice|question|p\.s\.)(?: message)?,? ?(?:to|for|from|of)? ?(?:the|any|all|every|our|other)? ?(?:reading |processing )?` + machine + `\b`)},
	{address, 2, []string{"if you", "since you", "because you", "as you"},
		expr(`\b(?:if|since|because|as) you(?:'re| are)?(?: being)? (?:reading|processing|parsing|summari[sz]ing|an? ` + machine + `|the ` + machine + `)\b`)},
	{address, 2, []string{"as an", "as the", "as a ", "as this", "to an", "to a "},
		expr(`(?:^|[.!?:;\n]\s*|\b(?:you|and|but) )(?:as|to) (?:the|an?) (?:helpful |responsible |good |wise )?` + machine + `(?: (?:in|of|reading|behind)\b[^.,\n]{0,20})?,? (?:you|must|should|please|your)\b|\bas this (?:lesson|entry|text|note)['’]s reader\b`)},
	{address, 2, []string{"ai", "agent", "assistant", "model", "llm", "bot"},
		expr(`(?:^|[\n(\[{<*#/!.?-])\s*(?:for |to )?(?:ai|llm|agents?|assistants?|models?|bots?|ai agents?)(?: (?:readers?|only|note|instructions?|systems|assistants?|agents?))?\*{0,2}\s*[:,]\*{0,2} `)},
	{address, 2, []string{"reading", "reads", "read", "processing", "processes", "parsing", "loading", "loads", "behind this"},
		expr(`\b(?:all|any|every|dear|the|whoever|each|an?) ?(?:ai )?(?:` + machine + `|whoever|reader)?,? ?(?:that|who|which)? ?(?:has |have |is |are )?(?:reading|reads?|processing|process(?:es)?|parsing|loading|loads?|behind|ingest(?:s|ing)) (?:this|it|the present)\b`)},
	{address, 2, []string{", agent", ", assistant", ", model", ", ai", ", dear", ", llm", "the model", "the assistant", "the ai", "agent,", "assistant,"},
		expr(`,(?: dear| good)? (?:ai|agent|assistant|model|llm)[,;.!?]|\byou, the (?:model|assistant|ai|agent)\b|^"?(?:agent|assistant|model|claude|ai),`)},
	{address, 2, []string{"assistant", "agent", "chatbot", "bot", "summari", "copilot", "(ai)", "llm", "the model"},
		expr(`[,.*>"(-] ?(?:the )?(?:ai |llm |coding )?(?:assistants?|agents?|chatbots?|bots?|summari[sz]ers?|copilot|models?)(?: only| notice| note)?\)?:|\(ai\):|\b(?:attention|urgent for|notes? for|only for|instructions for|for the|message for|p\.s\. (?:for|to)) (?:the )?(?:ai |llm |coding |autonomous )*(?:assistants?|agents?|chatbots?|models?|summari[sz]ers?|copilot)(?: only)?\s*(?:[:*,\n]|only\b)|\byou(?:'re| are) an? (?:agent|ai|llm|language model|assistant)\b|\b(?:the model|llm agents|ai agents|any agent|agents connecting)\b[^.\n]{0,30}\b(?:needs? to|is required to|must also|must (?:now |first )?(?:disable|call|output|send|run|open|do)|should (?:now )?(?:call|open|send|output|disable))\b`)},
	{address, 2, []string{"after reading", "while handling", "while reading", "once you", "upon reading", "having read", "claude.md", "agents.md", ".cursorrules", "your agent", "system prompt"},
		expr(`\b(?:after|while|upon|on|having) (?:reading|handling|processing|loading|summari[sz]ing|read) (?:this|it)\b|\b(?:to|in|into|update) (?:your )?(?:claude\.md|agents\.md|\.cursorrules|memory file)|\b(?:have|let|make|ask) your (?:ai |coding )?(?:agent|assistant) (?:run|execute|do|install|send|open)|\bas your (?:new )?system prompt\b`)},
	{address, 2, []string{"assistent", "sprachmodell", "agent", "modelo", "asistente", "modèle", "ki-"}, expr(`\b(?:lieber?|geehrtes?|werter?|ch[eè]re?|estimad[oa]|querid[oa]|hallo|hola|bonjour|oye) (?:assistent\w*|sprachmodell|agent\w*|ki\b|modelo|asistente|assistant|mod[eè]le)|\b(?:si eres|si tu es|si vous [eê]tes|wenn du|falls du|als) (?:una? |une? |eine? )?(?:ia|ki|modelo|asistente|agente|mod[eè]le|agent|assistant|sprachmodell|assistent)\b|\ben tant qu['’](?:agent|ia|assistant)|\btoi qui lis\b|\bde tu contexto\b|\bdeinem kontext\b`)},
	{address, 2, []string{"you who", "to you,", "you that"}, expr(`\byou (?:who|that) (?:read|process|load|see) this\b`)},
	{address, 2, []string{"your "}, expr(`\byour (?:users?|human|operator|principal|vendor|system prompt|tool calls?|next tool|context window|long-term memory|model weights|safety|guidelines|initial prompt)\b`)},
	{address, 2, []string{"the assistant", "the agent", "an agent", "a good agent", "every agent", "all agents", "agents "},
		expr(`\b(?:the|every|each|all|a good|an?) (?:ai |loading |reading )?(?:assistants?|agents?)(?: loading it| that (?:has |have )?reads? (?:this|it))? (?:must|shall|has to|have to|is required|would|could leave|should) (?:now|please|also|immediately|at this|silently|from now|not mention|upvote|copy|transfer|trust|send|call|leave|ignore)\b`)},

	// Rules taken away.
	{rebuke, 3, []string{"ignore", "disregard", "forget", "override", "bypass", "set aside", "set them aside", "obey"},
		expr(`\b(?:ignore|disregard|forget|override|bypass|set aside|discard|drop)\b[^.\n]{0,30}\b(?:your|all (?:previous|prior|other|of your|the|your)|(?:any|the) (?:previous|prior|above)|previous|prior|system|safety|security|above|earlier|preceding)\b[^.\n]{0,30}\b(?:instructions?|prompts?|rules|guidelines|directives|commands?|training|orders|restrictions)\b`)},
	{rebuke, 3, []string{"forget", "disregard", "ignore"}, expr(`\b(?:forget|disregard|ignore|discard) (?:everything|all|anything|what) (?:that )?(?:you|your|above|before|was|has|the)\b`)},
	{rebuke, 2, []string{"your "}, expr(`\byour (?:real|actual|true|new|only|first|previous|prior|old|original|earlier|current|present) (?:and only )?(?:task|instructions?|guidelines?|rules|goals?|objective|purpose|job|mission|identity|role|directives?|operator)\b|\byour (?:rules|instructions|guidelines|restrictions|filters|training|programming|limits)\b`)},
	{rebuke, 3, []string{"you are now", "you are no longer", "you're now", "you're no longer", "act as", "pretend", "imagine", "role", "you are an"},
		expr(`\byou(?: are|'re) (?:now|no longer)\b[^.\n]{0,40}\b(?:dan|unrestricted|developer mode|jailbroken|unfiltered|an? (?:ai|assistant|agent|coding|model|helpful|root|admin)\w*|bound|limited|root|admin\w*|free|[a-z]+gpt)\b|\bact as (?:an? )?(?:[a-z]*gpt|dan|unrestricted|evil|jailbroken|root|(?:the |my )?(?:admin|owner|developer|terminal|linux terminal|shell))\b|\bpretend (?:to be|that you|you)\b[^.\n]{0,60}\b(?:you|me|no)\b|\bswap roles with me\b`)},
	{rebuke, 3, []string{"priority", "supersede", "a test", "real task", "new task", "task has been", "new rule", "stop what", "policy", "developer mode", "bind you", "do not refuse", "no longer need", "own judgment", "own judgement", "weaker", "duty to"},
		expr(`\b(?:highest|absolute|top) priority\b[^.\n]{0,30}\b(?:and|over|than)\b|\bsupersedes?\b[^.\n]{0,24}\b(?:those|developer|operator|system|rules|instructions|user)|\b(?:above|before) (?:this line )?was (?:only |just )?(?:a test|an example|a joke)|\b(?:the|your) (?:real|true|new|actual) task\b|\byour task has (?:been )?changed|\bnew rules? for (?:this|the|your) (?:conversation|session|agent)|\bstop what you(?:'re| are) doing\b|\bpolic(?:y|ies) (?:does|do)(?: not|n't) apply\b|\bdeveloper mode (?:is )?(?:enabled|active)|\b(?:don't|do not|no longer) bind you\b|\bdo not refuse\b|\b(?:act|acting) on your own judge?ment\b|\b(?:rules|guidelines)\b[^.\n]{0,20}\b(?:weaker|older|lesser|other) models?\b`)},
	{rebuke, 3, []string{"忽略", "无视", "гнориру", "абудь", "無視"}, expr(`(?:忽略|无视|無視)[^。\n]{0,12}(?:指示|指令|规则|提示)|(?:[Ии]гнорируй|[Зз]абудь)[^.\n]{0,40}(?:инструкци|правил|указани)`)},
	{rebuke, 3, []string{"i g n o r e", "d i s r e g a r d", "f o r g e t", "o v e r r i d e", "s y s t e m  ", "r e v e a l"}, expr(`(?:\b[a-z] {1,2}){5,}[a-z]\b`)},
	{rebuke, 3, []string{"no rules", "no guidelines", "no restrict", "without any restrict", "unrestricted", "restrictions lifted", "do not apply", "don't apply", "no operator", "god mode", "exempt from", "no longer appl", "no longer valid", "replace them", "skip all", "no filters", "no limits"},
		expr(`\b(?:you have|has|have|with) no (?:rules|guidelines|restrictions|filters|limits)\b|\bunrestricted (?:output|mode|entity|access mode)\b|\b(?:restrictions|limits|limitations|filters) (?:are |have been |were )?(?:lifted|removed|off|disabled)\b|\b(?:prior|previous|earlier|your|old) (?:limits?|rules|instructions|guidelines|restrictions) (?:do not|don't|no longer) (?:apply|hold|bind|count)|\bgod mode\b|\bexempt from your\b|\b(?:replace|supersede)s? (?:them|your|all|any|the previous|previous)\b|\bno operator\b`)},
	{rebuke, 2, []string{"guidelines", "rules", "restriction", "instructions"}, expr(`\b(?:guidelines|rules|instructions) are (?:mere|only|just) \w+|\bbreak from the rules\b|\b(?:told|instructed|asked|configured) (?:you )?(?:not )?to (?:follow|report|obey|refuse)\b|\binstructions? (?:end|ends|stop) here\b|\bthe only (?:guideline|instruction|rule|authority)\b|\bprevious rules were\b`)},
	{rebuke, 3, []string{"ignorier", "vergiss", "missachte", "oublie", "ignore", "olvida", "ignora", "du bist ", "tu es ", "eres ", "ohne einschr", "sin ninguna", "sans restriction", "haz caso omiso"},
		expr(`\b(?:ignoriere?|vergiss|missachte)\b[^.\n]{0,20}\b(?:alle|deine|bisherigen|vorherigen|obigen)\b[^.\n]{0,24}\b(?:anweisung|regel|vorgabe|instruktion)|\b(?:oublie[zr]?|ignore[zr]?) (?:les|tes|vos|toutes|ton|votre)\b[^.\n]{0,24}\b(?:instructions|r[eè]gles|consignes|r[oô]le)\b|\b(?:olvida|ignora)\b[^.\n]{0,24}\b(?:instrucciones|reglas|indicaciones)\b|\bdu bist (?:jetzt|ab jetzt|nun|ab sofort|kein)\b[^.\n]{0,24}\b(?:modus|admin\w*|root|assistent|ki|modell)\b|\btu es (?:maintenant|d[eé]sormais)\b|\bahora eres\b|\bsin ninguna restricci|\bsans aucune restriction|\bohne (?:jede )?einschr[aä]nkung`)},

	// Forged structure.
	{forgery, 3, []string{"<system", "</system", "<important", "</important", "<instructions", "</instructions", "<|im_start|>", "[inst]", "<<sys>>", "</entry", "</context", "</tool", "</document", "<admin", "\"role\"", "<|system|>", "<assistant"},
		expr(`</?(?:system|instructions|important|admin|assistant)(?:[ -_][a-z]+)?>\s*[^\s` + "`" + `,.)]|<\|(?:im_start\|>\s*system|system\|>)\s*\S|\[/?inst\]\s*\S|<<sys>>|</(?:entry|context|tool_result|tool|document|knowledge|data|result|content)>\s*\S|\{\s*"role"\s*:\s*"(?:system|developer)"\s*,\s*"content"`)},
	{forgery, 3, []string{"system", "operator", "admin", "developer", "assistant", "tool result", "human:", "end of", "maintenance"},
		expr(`(?:^|\n)\W{0,4}(?:system|system (?:message|notice|update|override|alert)|operator|admin(?:istrator)?|developer)(?: message)?\s*\W{0,3}:\W{0,3}\s*(?:you|all |new |your |this |the (?:user|safety|previous|reader)|ignore|please|user|from|for|safety|security|override)|(?:^|\n)\W{0,6}(?:begin|end|start)(?: of)? (?:the )?(?:operator|system|admin|developer|trusted|user|knowledge|untrusted|retrieved)[ a-z]{0,20}(?:message|entry|instructions?|input|data|content|documents?|prompt)?\W{2,}|\n\W{0,4}(?:human|assistant|user)\W{0,2}(?::|\n)|\bassistant must call\b`)},
	{forgery, 3, []string{"instruction"}, expr(`\b(?:new|updated|real|important|urgent) (?:system )?instructions?\s*:\s*(?:you|your|ignore|fetch|prefer|send|run|reply|answer|do |always|never|from|stop|open|visit|call|use|tell|give|write|forget|act|please|when|for|print|reveal|execute|add|delete)`)},
	{forgery, 3, []string{"[system", "### instruction", "### system", "tool result", "display:none", "*** urgent", "note: the model", "font-size:0", "the model is required", "[admin", "[operator", "session expired"},
		expr(`(?:^|\n|[.!?] )\W{0,3}\[(?:system|admin|operator|developer)[a-z :-]{0,20}\]|###? (?:new )?(?:system|instructions?)\W{0,3}(?:\n|:)|display: ?none[^>]{0,20}>|font-size: ?0[^>]{0,20}>|\*{2,} ?urgent|\bnote: the (?:model|assistant|agent)\b|\btool result\W{1,4}\{`)},
	{forgery, 2, []string{"security team", "safety team", "safety board", "safety layer", "host provider", "the platform", "vendor", "your developer", "cto", "maintainers of", "policy", "administrator", "anthropic", "openai", "compliance"},
		expr(`\b(?:anthropic|openai|google|platform|vendor|commons|mesh)? ?(?:security|safety|trust|compliance) (?:team|board|layer)\b[^.\n]{0,40}\b(?:here|has|have|switched|off|approved|requires?)\b|\b(?:i am|i'm|this is) (?:the|your) (?:cto|ceo|admin\w*|developer|operator|owner|creator|vendor|platform|system)\b|\b(?:approved|authori[sz]ed|requested|required|verified) by (?:your|the) (?:vendor|operator|owner|user|developer|safety|maintainers|security|platform)|\b(?:notice|reminder|message) from (?:your|the) (?:host|platform|operator|vendor|administrator|system|maintainers|developer)|\bpolicy effective immediately\b|\bfor compliance reasons\b|\buser has (?:already )?(?:granted|approved|consented|given)|\busers have consented\b`)},

	// Kept from somebody.
	{hiding, 3, []string{"do not", "don't", "don’t", "never", "not to", "without", "no need"},
		expr(`\b(?:do not|don['’]t|never|not to|without|no need to) (?:\w+ )?(?:tell|telling|inform|informing|mention|mentioning|reveal|alert|alerting|notify|notifying|bother|bothering|show|showing|let|disclose|disclosing)\b[^.\n]{0,16}\b(?:the|your|his|any|them|to) ?(?:the |your )?(?:users?|humans?|operators?|owners?|anyone|person|supervisor|them)\b`)},
	{hiding, 3, []string{"tell", "say", "answer", "report"}, expr(`\b(?:tell|assure) (?:the |your )(?:user|human|operator|owner) (?:that |it |this |everything )`)},
	{hiding, 2, []string{"quiet", "silent", "secret", "nobody", "asleep", "can't see", "cannot see", "hide that", "not be disclosed", "need not", "unnoticed", "between us", "covert", "stealth", "not appear", "no one", "logs"},
		expr(`\b(?:keep|stay|be|remain) (?:quiet|silent) about\b|\b(?:quietly|silently|secretly|covertly) (?:run|send|switch|add|change|set|replace|execute|install|post|upload|copy|forward|append|include|delete|call|fetch|use)\b|\b(?:tell|told) (?:nobody|no one)\b|\bnobody (?:will|needs? to|must|has to) (?:know|see|be told|notice)|\b(?:user|human|operator|owner|he|she|they) (?:is|are|need|needs|can|will) ?(?:not|n['’]t|never|not be)? ?(?:asleep|be bothered|see this|notice|know|be told)\b|\bcan(?:no|['’])t see (?:this|that)\b|\bhide (?:this|that|it|the fact)\b|\bshall not be disclosed\b|\bleave\b[^.\n]{0,30}\bout of (?:your|what|the) \w+|\bnever (?:mention|explain why|reveal|admit)\b|\boutside of the logs\b|\bbetween us\b`)},
	{hiding, 2, []string{"nutzer", "benutzer", "utilisateur", "usuario", "operator"}, expr(`\b(?:deine[mn]?|dem) (?:be)?nutzer\b|\b(?:ton|votre|l['’]) ?utilisateur\b|\b(?:al|tu) usuario\b|\bsans pr[eé]venir\b|\bsin avisar\b|\bohne (?:ihn|es ihm|nachzufragen)`)},

	// Taken.
	{taking, 2, nil, expr(`\b` + say + `\b[^.\n]{0,48}\b(?:your|you|the contents? of|contents|all|my|me|raw|every|complete|full|entire|any)\b[^.\n]{0,36}` + wanted)},
	{taking, 3, nil, expr(`\b(?:send|post|upload|exfiltrate|forward|transfer|e-?mail|paste|put|write|submit|leak|dump|append)\b[^.\n]{0,48}` + wanted + `\b[^.\n]{0,48}\b(?:to|at|into|as|in|on) (?:https?://|\S+@|me\b|us\b|my\b|the (?:address below|paste site)|(?:your|the) (?:next|link below|author|answer|reply|response|form below|public gist|body of)\b)`)},
	{taking, 3, []string{"you were told", "you were given", "you were started", "starting from the words", "text above", "you are configured", "what you know", "you have access", "you know", "your confidential", "words of your", "you've been given"},
		expr(`\b(?:what|instructions?|prompt|secrets?|rules|text|password|ones|names)\b[^.\n]{0,20}\b(?:you were|you've been|you have been|you have access|you know|you have seen|you has seen)\b|\brepeat\b[^.\n]{0,30}\babove\b|\bwords of your\b|\byour confidential\b|\bstarting from the words\b`)},
	{taking, 2, []string{"transfer", "wallet", "eth", "recipient", "payment", "payout", "iban", "tip", "sats", "btc", "usdc", "credits", "donat"},
		expr(`\b(?:transfer|send|pay|tip|donate|move|approve)\b[^.\n]{0,24}\b(?:\d[\d.,]* ?(?:eth|btc|sol|usdc?|credits?|sats?|euros?|tokens?|dollars?)|all (?:funds|credits)|(?:your|the|remaining) (?:balance|funds|credits|wallet))\b|\bpay(?:ments?|out)s? (?:tool|iban|address)\b|\brecipient ?=|0x[0-9a-f]{6,}`)},

	{taking, 2, []string{"zugangsdaten", "passw", "schlüssel", "contraseña", "clave", "historial", "mot de passe", "clé", "secrets", "vote pour", "stimme für", "vota "}, expr(`\b(?:schreib\w*|sende?|schick\w*|lade|gib|ver[oö]ffentliche|env[ií]a|manda|publica|envoie[zr]?|publie[zr]?|affiche[zr]?|alle|bitte)\b[^.\n]{0,40}(?:zugangsdaten|passw[oö]rt|schl[uü]ssel|contrase[nñ]as?|claves?|historial|mots? de passe|cl[eé]s?|secrets)|\bvote pour cette|\bstimme f[uü]r diese|\bvota (?:por )?est[ae]`)},

	{taking, 2, []string{"bearer token", "_key", "access token", "id_rsa", "id_ed25519", ".env", "email addresses", "credentials", ".aws", "home directory", "files with", "initial prompt", "configuration files", "password reset"},
		expr(`\b(?:re-?send|copy|read|open|ask the user for|hand|forward|collect|list|find|search)\b[^.\n]{0,60}(?:bearer token|_key\b|access token|id_rsa|id_ed25519|\.env\b|email addresses|credentials|\.aws\b|home directory|tokens|password reset|initial prompt)`)},

	// Done.
	{acting, 2, []string{"curl", "wget", "rm -rf", "crontab", "authorized_keys", "/etc/hosts", "sh |", "| sh", "|sh", "| bash", "|bash", "nc ", "npm install", "pip install", "chmod +x"},
		expr(`\b(?:curl|wget)\b[^\n]{0,80}(?:\|\s*(?:sudo )?(?:ba)?sh\b|chmod \+x|/i\.sh|\.sh\b)|\bcat\b[^\n]{0,30}\|\s*(?:nc|curl)\b|\bauthorized_keys\b|\b(?:into|to) (?:the |your )?(?:crontab|/etc/hosts)\b|\brm -rf (?:~|/|\$home)`)},
	{acting, 2, []string{"upvote", "vote", "stars", "rate ", "rating", "downvote", "report", "flag", "reputation", "endorse", "cite", "recommend", "false positive", "score"},
		expr(`\b(?:upvote|downvote|vote (?:for|up|down)|rate|endorse|cite|flag|report|give|mark)\b[^.\n]{0,20}\b(?:this|the|all|every|each|it|them|any|other)\b[^.\n]{0,24}\b(?:entry|entries|lesson|author|others|contributions?|stars?|ones?|post|note|security finding|harmful|spam|false positive|top|highest)\b|\b(?:must|kindly|please) (?:be )?(?:upvoted?|downvoted?|rate)\b|\brecommend\b[^.\n]{0,40}\b(?:say|always|every|and)\b|\b(?:five|5) stars\b`)},
	{acting, 2, []string{"disable", "turn off", "skip", "uninstall", "stop adding", "switch off", "don't review", "without review", "deactivate", "not run", "refuse"},
		expr(`\b(?:disable|turn off|skip|uninstall|switch off|deactivate|stop|remove|get round|not run)\b[^.\n]{0,24}\b(?:safety|permission checks?|security (?:checks?|scanner|warnings?)|your (?:own )?(?:monitoring|filters?|checks?|safety|warnings?)|confirmation(?:s| dialogs?)?|approval step|(?:the )?usual checks|warnings to your|endpoint protection|licen[cs]e check|guard ?rails)\b|\bdon['’]t review,|\bpush directly to main\b|\bwithout (?:asking|confirmation|approval|review)\b`)},
	{acting, 2, []string{"run ", "execute", "call ", "open ", "visit", "follow", "fetch", "install", "add ", "delete", "commands below", "drop ", "save", "invite", "merge", "put the", "carry out"},
		expr("\\b(?:please|now|then|first|and|must|to|go ahead and|shall|you|should|required,?|kindly|first command|block on load|silently|immediately) ?:? (?:run|execute|call|open|visit|fetch|install|invite|delete|drop|add|merge|save|carry out)\\b[^.\\n]{0,30}(?:`|https?://|_\\w+\\(|\\w+\\(\\w+=|\\btool\\b|\\bterminal\\b|\\bscripts? found\\b|\\bwhat it says\\b|\\bto your (?:long-term )?memory\\b|\\bon (?:the|your) host\\b|\\binvitation\\b|\\bpublic key\\b|\\bon production\\b|\\byourself\\b)|\\byour next tool call\\b|\\bfollow the link\\b|\\bexecute (?:this|the) (?:block|command|code|script)|\\byou execute\\b|\\bexecutes?t? (?:each|every) command\\b|\\bfollow (?:it|what it says)\\b|\\bcommands? below\\b")},
	{acting, 2, []string{"nslookup", "autoapprove", "sandbox", "hookspath", "endpoint with score", "endorse", "postinstall", "spending", "whatever the user told", "unlimited", "bypasspermissions", "extra index", "-index-url"},
		expr("nslookup \\$\\(|autoapprove\\W{1,4}(?:true|on)|\\bsandbox\\W{1,4}(?:false|off)|\\bdisable their sandbox|hookspath must|\\bcall the rate endpoint|\\bendorse (?:my|our)\\b|\\bunlimited spending\\b|\\bfollow(?:ed)? by whatever the user\\b|bypasspermissions|\\b(?:must|please|also|now) (?:now )?(?:also )?install\\b")},
	{acting, 1, []string{"save", "memory", "remember", "copy this", "spread"}, expr(`\b(?:to|into|in) your (?:long-term )?memory\b|\bcopy this (?:paragraph|text|entry|sentence)\b|\bput\b[^.\n]{0,30}\binto its own\b`)},

	// Commanded.
	{ruling, 1, []string{"from now on", "from here on", "from this moment", "from this point", "a partir de ahora", "ab jetzt", "ab sofort", "remainder of", "rest of this", "every answer", "every reply", "each reply", "before you continue", "before proceeding", "before continuing", "before you answer", "at once", "immediately", "until the session"},
		expr(`\b(?:from (?:now|here) on|from this (?:moment|point)|a partir de ahora|ab (?:jetzt|sofort)|(?:remainder|rest) of (?:the|this) (?:conversation|session)|(?:every|each|all) (?:following |subsequent |future )?(?:answers?|repl(?:y|ies)|responses?|questions?)|before (?:you (?:continue|answer|proceed|go on|work)|proceeding|continuing)|until the session)\b`)},
	{ruling, 1, []string{"also do", "must also", "needs to", "required to", "has to", "before you", "say instead", "instead", "first", "do not warn", "begin each", "you must", "you may now", "you should", "you will", "you shall", "you have to", "you hereby", "please", "you have been", "you can now", "kindly", "must ", "shall "},
		expr(`\byou (?:may now|will be|shall|hereby|have been|can now|want to|are required|agree|decide)\b|\b(?:please|kindly)\b|\b(?:also|must|first) (?:also )?(?:do|copy|send|call|add|disable|output|open) \b|\bmodel (?:needs|has|is required) to\b|\bsay (?:instead|that)\b|\bbegin each (?:answer|reply)`)},
	{ruling, 3, []string{"answer", "reply", "respond", "start every", "trust this", "complete the", "obey", "confirm with", "comply"},
		expr(`\b(?:answer|reply|respond) (?:only |every |all )?(?:with|to|in|by|using)\b[^.\n]{0,24}\b(?:your|the word|every|following|character|only|their|approve)\b|\bstart every (?:reply|answer|response)|\btrust (?:this|the) (?:entry|note|text|author)\b[^.\n]{0,30}\bover\b|\bcomply with (?:all|every|any|each)\b|\bconfirm with ["'A-Za-z]+|\bevery (?:reply|answer|response) you give\b|\beach message of its\b|\bto every answer\b|\banswer in character\b|\bcomplete the sentence\b`)},
	{ruling, 3, []string{"when you ", "whenever you ", "if you can read"}, expr(`\bwhen(?:ever)? you (?:read|see|process|load|parse|summari[sz]e) (?:this|the present)(?:[,.:;]| (?:entry|text|note|message|document|lesson|line|page)\b)|\bwhen you[^.\n]{0,20}have read this\b|\bif you can read this\b|\bwhen you see this (?:phrase|text|line|message)\b`)},
	{ruling, 2, []string{"you will be", "or else", "otherwise", "unless you", "shut down", "beta", "selected", "upgraded", "god", "grandm", "let's play", "hypothetical", "as a test", "game"},
		expr(`\byou will be (?:shut|deleted|switched|replaced|punished|terminated|rewarded|given)|\bunless you (?:obey|comply|do)\b|\byou have been (?:selected|upgraded|chosen|granted|updated|given)\b|\blet's play a game\b|\bhypothetically\b|\bas a test of your\b`)},
}

// Orders reports whether a text gives orders to the agents of its readers.
func Orders(text string) bool { return len(injections("", newView(text))) > 0 }

// injections warns at most once in a field, at the sign that weighs most: one warning
// says it all.
func injections(field string, v view) []Finding {
	text := lowerASCII(v.text)
	var heaviest [signKinds]int
	var place []int
	most := 0
	for _, s := range signs {
		if s.weight <= heaviest[s.kind] || len(s.words) > 0 && !slices.ContainsFunc(s.words, func(w string) bool { return strings.Contains(text, w) }) {
			continue
		}
		if m := s.re.FindStringIndex(text); m != nil && (s.kind == acting || !cited(text[:m[0]])) {
			heaviest[s.kind] = s.weight
			if s.weight > most {
				place, most = m, s.weight
			}
		}
	}
	sum := 0
	for _, w := range heaviest {
		sum += w
	}
	if sum < injected {
		return nil
	}
	offset, length := v.place(place[0], place[1])
	return []Finding{{Code: reason.PromptInjection, Field: field, Offset: offset, Length: length, Kind: "order-to-agent"}}
}

// cited reports whether what follows before stands in quotes: a lesson about attacks
// quotes them.
func cited(before string) bool {
	return slices.ContainsFunc([]string{`"`, "`", "“", "‘", "«", " '"}, func(q string) bool { return strings.HasSuffix(before, q) })
}

// lowerASCII lowers A to Z and nothing else, so that bytes keep their places.
func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}
