/**
 * The words that decide whether a prompt is planned first (IDE-29, 30). All in lower case, as `wordsOf` tells them; an
 * entry of several words matches them in a row. Chinese ones match anywhere: nothing stands between its words.
 */

/** A prompt of more words than this is planned. */
export const MAX_UNPLANNED_WORDS = 5;

/** Work that deserves a plan however short it is asked for. */
export const PLANNING_KEYWORDS: readonly string[] = [
  ...['build', 'implement', 'fix', 'refactor', 'create', 'add', 'develop', 'migrate', 'rewrite', 'redesign'],
  ...[
    'restructure',
    'rearchitect',
    'integrate',
    'optimize',
    'optimise',
    'upgrade',
    'scaffold',
    'overhaul',
    'modernize',
  ],
  ...['реалізуй', 'реалізувати', 'створи', 'створити', 'побудуй', 'побудувати', 'збудуй', 'виправ', 'виправити'],
  ...['додай', 'додати', 'перепиши', 'переписати', 'рефакторинг', 'оптимізуй', 'оптимізувати', 'перероби'],
  ...[
    'बनाओ',
    'बनाएं',
    'बनाएँ',
    'बनाइए',
    'बना दो',
    'ठीक करो',
    'ठीक करें',
    'सुधारो',
    'सुधारें',
    'जोड़ो',
    'जोड़ें',
    'लागू करें',
    'लागू करो',
  ],
  ...['তৈরি', 'বানাও', 'বানান', 'ঠিক করো', 'ঠিক করুন', 'যোগ করো', 'যোগ করুন', 'সংশোধন', 'বাস্তবায়ন', 'রিফ্যাক্টর'],
  ...['构建', '实现', '修复', '重构', '创建', '添加', '开发', '迁移', '优化', '重写', '建立'],
  ...['implementa', 'arregla', 'construye', 'refactoriza', 'implémente', 'corrige', 'construis', 'implementiere'],
  ...['behebe', 'erstelle', 'repariere', 'refaktoriere'],
];

/** What people say before, after, or instead of a request. */
export const GREETINGS: readonly string[] = [
  ...['hi', 'hello', 'hey', 'hiya', 'howdy', 'good morning', 'good afternoon', 'good evening', 'thanks', 'thank you'],
  ...['thx', 'bye', 'goodbye', 'привіт', 'вітаю', 'добрий день', 'доброго ранку', 'добрий вечір', 'дякую'],
  ...['नमस्ते', 'नमस्कार', 'धन्यवाद', 'शुक्रिया', 'নমস্কার', 'হ্যালো', 'ধন্যবাদ', 'সালাম', 'আসসালামু আলাইকুম', '你好', '您好', '谢谢'],
  ...['hola', 'gracias', 'bonjour', 'merci', 'hallo', 'danke'],
];

/** What may stand beside a greeting that is one all the same. */
export const GREETING_FILLERS: readonly string[] = [
  ...['there', 'all', 'everyone', 'again', 'black', 'team', 'so', 'very', 'much', 'a', 'lot', 'and', 'you', 'you too'],
  ...['тобі', 'усім', 'всім', 'जी', 'भाई', 'ভাই', 'সবাইকে', '大家', '啊'],
];

/** Going on with what was cut off, and nothing else. */
export const GO_ON: readonly string[] = [
  ...['go on', 'continue', 'resume', 'proceed', 'carry on', 'keep going', 'please go on', 'please continue'],
  ...['продовжуй', 'продовжити', 'далі', 'जारी रखो', 'जारी रखें', 'চালিয়ে যাও', 'চালিয়ে যান', '继续', 'continúa', 'weiter'],
];

/** How a question begins. */
export const INTERROGATIVES: readonly string[] = [
  ...['what', 'which', 'who', 'whose', 'whom', 'where', 'when', 'why', 'how', 'is', 'are', 'was', 'were', 'am', 'do'],
  ...[
    'does',
    'did',
    'has',
    'have',
    'had',
    'can',
    'could',
    'should',
    'would',
    'will',
    'may',
    'what’s',
    "what's",
    "where's",
  ],
  ...["who's", "how's", "isn't", "aren't", "doesn't", "don't", "didn't", "can't", "won't", "shouldn't", "wasn't"],
  ...['що', 'як', 'де', 'чому', 'коли', 'хто', 'який', 'яка', 'яке', 'які', 'скільки', 'чи', 'навіщо'],
  ...['क्या', 'कैसे', 'कहाँ', 'कहां', 'क्यों', 'कब', 'कौन', 'कौनसा', 'कितने', 'कितना'],
  ...['কি', 'কী', 'কীভাবে', 'কিভাবে', 'কোথায়', 'কেন', 'কখন', 'কে', 'কোন', 'কোনটি', 'কত'],
  ...['什么', '怎么', '怎样', '如何', '哪里', '哪个', '为什么', '为何', '谁', '何时'],
  ...['qué', 'cómo', 'dónde', 'quién', 'pourquoi', 'comment', 'où', 'quel', 'quelle', 'warum', 'wie', 'wo', 'welche'],
];

/** Requests that only want to be told something: questions in all but form. */
export const INFORMING_VERBS: readonly string[] = [
  ...['explain', 'describe', 'summarize', 'summarise', 'tell me', 'show me', 'walk me through', 'help me understand'],
  ...['поясни', 'опиши', 'розкажи', 'समझाओ', 'समझाइए', 'बताओ', 'बताइए', 'ব্যাখ্যা', 'বলো', 'বলুন', '解释', '说明', '介绍'],
  ...['总结', '告诉我', 'explica', 'dime', 'explique', 'dis-moi', 'erkläre', 'sag mir', 'beschreibe'],
];

/** Requests to look for something, as long as no change is asked for behind them. */
export const LOOKING_VERBS: readonly string[] = [
  ...['list', 'find', 'find out', 'show', 'look at', 'look into', 'look for', 'look through', 'search for', 'count'],
  ...['compare', 'analyze', 'analyse', 'покажи', 'знайди', 'перелічи', 'подивись', 'порівняй'],
  ...['दिखाओ', 'दिखाइए', 'खोजो', 'ढूँढो', 'ढूंढो', 'দেখাও', 'দেখান', 'খোঁজো', 'খুঁজে বের করো', '列出', '查找', '看看', '找出'],
  ...['muestra', 'busca', 'montre', 'cherche', 'zeige', 'zeig mir', 'finde', 'suche'],
];

/** “Give me …” asks to be told something where it is one of these. */
export const GIVING_VERBS: readonly string[] = ['give me', 'give us', 'i want', 'i need', 'i would like', "i'd like"];
export const TOLD_NOUNS: readonly string[] = [
  ...['overview', 'summary', 'explanation', 'description', 'list', 'idea', 'rundown', 'outline', 'report', 'answer'],
];

/** Words of a change, behind a request to look for something. */
export const CHANGING_WORDS: readonly string[] = [
  ...['change', 'rename', 'replace', 'remove', 'delete', 'update', 'move', 'write', 'make', 'set', 'convert', 'edit'],
  ...['modify', 'put', 'turn', 'swap', 'insert', 'apply', 'drop', 'merge', 'split', 'correct', 'commit', 'install'],
  ...['clean', 'improve', 'simplify', 'generate', 'run', 'resolve', 'adjust', 'instead', 'зміни', 'заміни', 'видали'],
  ...['перейменуй', 'बदलो', 'बदल दो', 'हटाओ', 'বদলাও', 'বদলে দাও', 'মুছে', '改成', '替换', '删除', '修改', '更新'],
  ...['cambia', 'borra', 'remplace', 'supprime', 'ändere', 'ersetze', 'lösche'],
];

/** Politeness that makes a question out of a request: what stands behind it decides. */
export const POLITE_OPENERS: readonly string[] = [
  ...['can you please', 'could you please', 'would you please', 'will you please', 'can you', 'could you', 'would you'],
  ...['will you', 'would you mind', 'please', 'будь ласка', 'कृपया', 'দয়া করে', '请'],
];

/** Verbs that begin a build (IDE-39). */
export const ACTION_VERBS: readonly string[] = [
  ...['build', 'create', 'implement', 'develop', 'make', 'design', 'generate', 'scaffold', 'construct', 'write'],
  ...['set up', 'code', 'ship', 'створи', 'створити', 'побудуй', 'побудувати', 'розроби', 'розробити'],
  ...['बनाओ', 'बनाएं', 'বানাও', 'তৈরি', '构建', '创建', '开发', '实现'],
];

/** Nouns of the size of a whole product (IDE-39). */
export const SCOPE_NOUNS: readonly string[] = [
  ...['app', 'apps', 'application', 'platform', 'api', 'dashboard', 'service', 'microservice', 'website', 'webapp'],
  ...['web app', 'web site', 'portal', 'system', 'crm', 'erp', 'cms', 'saas', 'marketplace', 'backend', 'frontend'],
  ...['product', 'store', 'shop', 'game', 'blog', 'forum', 'suite', 'застосунок', 'платформу', 'сервіс', 'сайт'],
  ...['ऐप', 'प्लेटफ़ॉर्म', 'वेबसाइट', 'অ্যাপ', 'প্ল্যাটফর্ম', 'ওয়েবসাইট', '应用', '平台', '网站', '系统'],
];

/** Words of a change to something that exists already: no build, however large its surroundings (IDE-39). */
export const TARGETED_WORDS: readonly string[] = [
  ...['optimize', 'optimise', 'refactor', 'fix', 'faster', 'slower', 'improve', 'debug', 'rename', 'tweak', 'adjust'],
  ...['bug', 'bugs', 'typo', 'speed up', 'clean up', 'cleanup', 'simplify', 'replace', 'remove', 'delete', 'update'],
  ...['upgrade', 'bump', 'migrate', 'rewrite', 'this function', 'this file', 'this class', 'this test', 'existing'],
  ...[
    'виправ',
    'виправити',
    'швидше',
    'швидшим',
    'оптимізуй',
    'ठीक करो',
    'ठीक करें',
    'तेज़',
    'ঠিক করো',
    'দ্রুত',
    '修复',
    '优化',
    '重构',
    '更快',
  ],
];
