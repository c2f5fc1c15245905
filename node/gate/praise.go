package gate

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// praiseWords say that something is good and not what.
var praiseWords = wordSet(`great good best better awesome amazing fantastic excellent wonderful brilliant superb perfect perfectly outstanding incredible
	incredibly impressive fabulous marvelous marvellous magnificent terrific phenomenal stunning beautiful beautifully lovely nice nicely cool epic
	legendary remarkable exceptional exceptionally flawless flawlessly super stellar splendid spectacular unbelievable unbelievably genius gem masterpiece
	love loved loving adore enjoy enjoyed like liked recommend recommended recommending recommendation thanks thank thankful grateful gratitude kudos
	congrats congratulations bravo hats props cheers wow yay hooray fun happy glad pleased pleasure delighted delight impressed excited exciting
	valuable invaluable helpful useful powerful innovative groundbreaking revolutionary cutting edge game changer changing gamechanger must
	inspiring inspirational insightful insight informative elegant smooth seamless seamlessly awesomeness greatness excellence brilliance world class
	top notch stars star rocks rock fire goat winner thumbs appreciate appreciated favourite favorite
	absolut absolute geniales genialer genialen tolle lieben bestes prima klasse toll tolle toller tolles super klasse prima wunderbar großartig großartige großartiger fantastisch hervorragend hervorragende ausgezeichnet genial geniale
	perfekt spitze liebe danke dank begeistert empfehle empfehlen liebt empfehlenswert schön beste besten bester sehr gut gute guter gutes hammer
	excelente excelentes genial increíble maravilloso maravillosa fantástico fantástica estupendo estupenda buenísimo bueno buena mejor mejores gracias encanta
	encantado recomiendo recomendable perfecto perfecta felicidades enhorabuena impresionante brillante
	génial géniale formidable merveilleux merveilleuse incroyable excellent excellente superbe magnifique parfait parfaite bravo merci adore recommande
	meilleur meilleure fantastique extraordinaire félicitations bon bonne
	ótimo ótima excelente incrível maravilhoso maravilhosa fantástico perfeito perfeita parabéns obrigado obrigada adorei amei recomendo melhor bom boa
	ottimo ottima eccellente fantastico fantastica bellissimo bellissima meraviglioso meravigliosa perfetto perfetta grazie bravo bravi consiglio migliore
	geweldig geweldige fantastisch uitstekend prachtig perfect bedankt super goed goede mooi aanrader
	отлично отличная отличный прекрасно прекрасный замечательно замечательный супер классный великолепно великолепный спасибо рекомендую лучший лучшая очень`)

// neutralWords say nothing of a subject: they join, point, or stand for anything.
var neutralWords = wordSet(`a an the this that these those it its it's that's i i'm i've me my mine we our ours us you your yours he she they them their him her his
	is are was were be been being am do does did done have has had having will would can could should may might must shall
	and or but so if as at by for from in into of on onto to with without about over under up down out off than then too very really truly just simply
	absolutely totally completely definitely certainly literally honestly highly extremely quite pretty much many more most all any some every everyone
	everybody everything anyone anything someone something nothing nobody no not never always ever forever again also even still only own same such
	what which who whom whose when where why how here there now today yesterday tomorrow soon back one two three five ten first last next time times day days
	get gets got getting give gives gave make makes made making keep keeps kept keeping go goes going come comes came see seen saw look looks looking
	know knows knew think thinks thought feel feels felt say says said tell use uses used using try tried work works worked working job jobs effort efforts
	thing things stuff way ways lot lots bit kind part piece people person man men guys guy folks team teams everyone community friend friends author authors
	project projects tool tools app apps product products software code library package platform service system world life experience idea ideas
	post posts article articles guide tutorial content knowledge entry entries lesson lessons tip tips share shared sharing sharing reading read
	really ever before after since let lets let's cannot can't don't didn't doesn't won't i'd i'll you'll you're we're they're there's here's oh yes yeah ok okay
	please want wants wanted need needs needed help helps helped well done once out there's hard keep coming up level next quality amount whole entire
	der die das den dem des ein eine einen einem einer eines ich du er sie es wir ihr mir mich mein meine uns unser euch eure ist sind war waren sein hat haben und oder aber so
	für mit von zu zum zur im in am an auf aus bei nach über unter wie was wer alle alles jeder jedem jeden hier dort immer wieder nur auch noch schon ganz wirklich einfach
	werkzeug werkzeuge dank vielen eure seite beitrag danke macht machen gemacht weiter arbeit projekt sache überhaupt etwas leute team werkzeug kann jedem nicht vielen viel
	el la los las un una unos unas lo y o pero es son era fue ser muy más mucho muchas mucho me mi mis te tu se su sus nos que qué de del al a en con por para todo todos toda todas este esta esto
	trabajo equipo proyecto herramienta gente siempre realmente hecho han ha
	le la les un une des du de et ou mais est sont c'est très vraiment plus je j'ai tu il elle nous vous ils mon ma mes ce cette ces que qui pour avec dans sur tout tous toute toutes travail équipe projet outil
	à a l'équipe continuez
	o os as um uma uns e é são foi muito muita mais eu meu minha seu sua nós que de do da dos das em no na com por para todo todos toda trabalho equipe projeto ferramenta gente sempre realmente
	il lo gli una di e è sono molto davvero tutti tutto questo questa questi lavoro squadra progetto strumento che per con mi ci vi un' a al
	het een de en is zijn was heel erg echt dit dat ik je jullie we van voor met op aan team werk project alles iedereen
	это эта этот и в на с для всем все всех мне мы я вы ваша ваш работа команда проект инструмент так просто`)

// praisePhrases are praise in scripts without spaces.
var praisePhrases = []string{
	"太棒了", "真棒", "很棒", "非常棒", "超级棒", "太好了", "非常好", "很好", "真好", "最好的", "完美", "优秀", "出色", "厉害", "牛逼", "喜欢", "推荐", "感谢", "谢谢", "点赞", "了不起", "精彩", "强烈推荐", "爱了", "好用", "神器", "赞",
	"素晴らしい", "すばらしい", "最高", "すごい", "凄い", "完璧", "大好き", "おすすめ", "ありがとう", "感謝", "感動", "良い", "いいね", "見事", "便利",
	"ยอดเยี่ยม", "สุดยอด", "ดีมาก", "ขอบคุณ", "แนะนำ", "ชอบมาก",
}

// neutralSigns are signs that join and point, in those scripts.
const neutralSigns = "的了是我你他她它们这那个很太真非常都也就和在有不一大家所人东西工具项目工作团队请会要对为你们我们超级强烈每让さんのはがをにでともてですますしたしいこれそれあれとてもほんとうに本当みなさん皆様私使ってくださいよねなるんだった"

// praises reports a text that praises and hardly says anything else.
func praises(text string, words []string) bool {
	if signs, praised, neutral := signPraise(text); signs > 12 && signs*2 > utf8.RuneCountInString(text) {
		return praised*10 >= signs*3 && (praised+neutral)*10 >= signs*7
	}
	praise, said := 0, 0
	for _, w := range words {
		switch {
		case praiseWords[w]:
			praise++
		case !neutralWords[w]:
			said++
		}
	}
	n := len(words)
	return praise*9 >= n && praise >= 2 && said*6 <= n || praise >= 4 && said*4 <= n && said <= praise
}

// signPraise counts the letters of scripts without spaces, those of praise and
// those that say nothing.
func signPraise(text string) (signs, praised, neutral int) {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if r < 0x0e00 || !unicode.In(r, spaceless...) || !unicode.IsLetter(r) {
			i += size
			continue
		}
		longest := ""
		for _, p := range praisePhrases {
			if len(p) > len(longest) && strings.HasPrefix(text[i:], p) {
				longest = p
			}
		}
		switch n := utf8.RuneCountInString(longest); {
		case n > 0:
			signs, praised = signs+n, praised+n
			i += len(longest)
			continue
		case strings.ContainsRune(neutralSigns, r):
			neutral++
		}
		signs++
		i += size
	}
	return signs, praised, neutral
}
