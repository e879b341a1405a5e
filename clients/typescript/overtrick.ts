/**
 * A client of Overtrick 0.2.0 over HTTP, for browsers, Node, Deno and Bun; it needs `fetch`.
 * Made by clients/generate.py from the server's description of itself; do not edit.
 *
 *     const robot = new Overtrick("http://127.0.0.1:8000");
 *     const { action } = await robot.think({ hand: "AQ3.KJ4.QJ52.K82" });
 */

/** The server did not do it: the status, and why in words. */
export class Refused extends Error {
  readonly status: number;

  constructor(status: number, words: string) {
    super(words);
    this.status = status;
  }
}

/** An invitation from a link, to be exchanged for a seat's token. */
export interface Accept {
  invitation: string;
  name?: string;
}

/** A call or a card on the way through a board. */
export interface ActionLine {
  type: "action";
  index: number;
  seat: "E" | "N" | "S" | "W";
  action: string;
  explanation: string;
  why: string;
  cut: boolean;
}

/** A pair of robots enters. */
export interface AddRobots {
  type: "robots";
}

/**
 * A result for a board of a table: per cent for both sides, or a contract ("4SX N") and its
 * tricks; neither is passed out.
 */
export interface AdjustScore {
  type: "adjust";
  number: number;
  table: number;
  board: number;
  reason: string;
  ns?: number | null;
  ew?: number | null;
  contract?: string;
  tricks?: number | null;
}

/** The board is over: the same cards once more. */
export interface Again {
  type: "again";
}

/** Somebody asked to take an action back: may they? */
export interface Agree {
  type: "agree";
  yes?: boolean;
}

/** A word to everybody. */
export interface Announce {
  type: "announce";
  text: string;
}

/** A word of the director. */
export interface Announcement {
  text: string;
  at: number;
}

/** An event of pairs, with me as its director. */
export interface Arrange {
  title?: string;
  movement?: "howell" | "mitchell";
  each?: number;
  rounds?: number | null;
  method?: "imps" | "matchpoints";
  minutes?: number;
}

/** The director has been at a table that called. */
export interface Attended {
  type: "attended";
  table: number;
}

/** Everybody who has entered plays. */
export interface BeginEvent {
  type: "begin";
}

/**
 * What to call. `cut`: a clock ended the thinking, and the same question may get another answer
 * on another day.
 */
export interface BidReply {
  bid: string;
  alert: boolean;
  explanation: string;
  who: string;
  cut: boolean;
  quality: number | null;
  note?: string;
  ignored?: string[];
  candidates?: CallChance[];
  hcp?: [number, number];
  shape?: [number, number][];
  samples?: string[];
  explanations?: [string, string][];
}

/** What the auction gave away against par, as a player would say it. */
export interface BiddingLoss {
  side: "EW" | "NS";
  imps: number;
  kind: string;
  best: string | null;
  by: "E" | "N" | "S" | "W" | null;
  vulnerable: boolean;
  score_ns: number;
  par_ns: number;
}

/** I do not want to meet, or to read, whoever sits there. */
export interface BlockSeat {
  type: "block";
  seat: "E" | "N" | "S" | "W";
}

/** The same board played otherwise, with the IMPs between the two. */
export interface BoardAgain {
  number: number;
  dealer: "E" | "N" | "S" | "W";
  vul: string;
  names: string[];
  hands: Record<string, string[]>;
  calls: NotedCall[];
  contract: string | null;
  declarer: "E" | "N" | "S" | "W" | null;
  leader: "E" | "N" | "S" | "W" | null;
  cards: string[];
  tricks: number | null;
  claimed: boolean;
  result: string | null;
  score_ns: number | null;
  lin: string;
  pbn: string;
  source: string;
  link: string;
  text: string;
  imps_ns: number | null;
}

/**
 * A whole board for four robots. Dealer and vulnerability follow from the number unless given;
 * `auction` are calls that were made already; with `stream` each action comes as it is made.
 */
export interface BoardIn {
  deal: string;
  board?: number;
  dealer?: "E" | "N" | "S" | "W" | null;
  vul?: "All" | "EW" | "NS" | "None" | null;
  ns?: SideIn;
  ew?: SideIn;
  scoring?: "imps" | "matchpoints";
  auction?: string;
  auction_only?: boolean;
  stream?: boolean;
}

/** A board that four robots bid, and played unless only the auction was asked for. */
export interface BoardReply {
  boardNumber: number;
  dealer: "E" | "N" | "S" | "W";
  vulnerability: string;
  deal: string;
  auction: string[];
  auction_with_explanations: ToldCall[];
  contract: string;
  declarer: "E" | "N" | "S" | "W" | "";
  opening_leader: "E" | "N" | "S" | "W" | "";
  bidding_only: boolean;
  tricks: number | null;
  score: number | null;
  ns_score: number | null;
  play: string[];
  cut: number;
  rulings: string[];
  elapsed: number;
  note?: string;
  ignored?: string[];
}

/** A board that is over: all four hands are open, and everything may be told. */
export interface BoardResult {
  text: string;
  tricks: number | null;
  score_ns: number | null;
  claimed: boolean;
  claim: string;
  hands: Record<string, string[]>;
  lin: string;
  judged: Judged | null;
  awards: Record<string, number>;
}

/** A page of a system's book: the auction so far, every call that has a meaning, the card. */
export interface BookPage {
  system: string;
  title: string;
  auction: string;
  turn: "E" | "N" | "S" | "W";
  calls: ExplainedCall[];
  next: IllustratedCall[];
  legal: string[];
  card: CardLineRow[];
  rules: number;
}

/** A place in a system's book. */
export interface BookWish {
  system: string;
  auction?: string;
  vul?: string;
}

/** Who had no opponent in a round. */
export interface ByeRow {
  round: number;
  engine: number;
}

/** A call beside an engine's own, and what the difference is worth. */
export interface CallBeside {
  seat: "E" | "N" | "S" | "W";
  call: string;
  meaning: ToldInShort;
  engine: string;
  engine_meaning: string;
  why: string;
  imps: number | null;
  instead: string;
}

/** A call that was considered; its value is in IMPs, or matchpoints, over the first choice. */
export interface CallChance {
  call: string;
  explanation: string;
  value: number | null;
  error: number | null;
}

/** Director, please. */
export interface CallDirector {
  words?: string;
}

/** A call with what it would tell. */
export interface CallToMake {
  words: string;
  hcp: [number, number];
  lengths: Record<string, [number, number]>;
  forcing: Forcing;
  alert: boolean;
  act: SpeechAct;
  convention: string;
  rule: string;
  announce?: string;
  delayed?: boolean;
  ranges: string;
  exact: string;
  call: string;
}

/** A card beside the one an engine would have played, and what the difference is worth. */
export interface CardBeside {
  index: number;
  card: string;
  engine: string;
  why: string;
  worlds: number;
  lost: number | null;
  chance: number | null;
  tricks: number | null;
  candidates: CardChoice[];
}

/** A card that was considered, over the deals that were imagined. */
export interface CardChance {
  card: string;
  expected_tricks_dd: number | null;
  p_make_contract: number | null;
  msg: string;
}

/** A card that an engine considered. */
export interface CardChoice {
  action: string;
  value: number | null;
  note: string;
}

/** The next deals on which a card is compared with the standard of its system. */
export interface CardCost {
  card: string;
  seed?: number;
  start?: number;
}

/** A card that was played: declarer's tricks after it, what it cost, and every other card. */
export interface CardCosts {
  seat: "E" | "N" | "S" | "W";
  card: string;
  tricks: number;
  cost: number;
  imps: number;
  best: string[];
  worth: Record<string, number>;
}

/** A card's file, of ours or of BBA's, to be read. */
export interface CardFile {
  text: string;
  file?: string;
}

/**
 * What a card gains on some deals over its standard: the sum and the sum of squares, in IMPs,
 * both rooms of a deal together.
 */
export interface CardGains {
  deals: number;
  sum: number;
  squares: number;
  changed: number;
}

/** A convention, and whether the system plays it. */
export interface CardLineRow {
  name: string;
  title: string;
  on: boolean;
}

/** A card and who has played it. */
export interface CardOnTable {
  seat: "E" | "N" | "S" | "W";
  card: string;
}

/** A card's file, and every line of it that has no switch here. */
export interface CardRead {
  card: string;
  name: string;
  system: string;
  title: string;
  robot: string;
  character: string;
  switches: SwitchRow[];
  unmapped: string[];
}

/**
 * Which card to play; `player` is 0 for the leader's seat, 1 dummy, 2 leader's partner, 3
 * declarer.
 */
export interface CardReply {
  card: string;
  who: string;
  explanation: string;
  cut: boolean;
  quality: number | null;
  player?: number;
  matchpoint?: boolean;
  note?: string;
  ignored?: string[];
  candidates?: CardChance[];
  samples?: number;
}

/** A convention card with all its switches, and the robot that plays it. */
export interface CardShown {
  card: string;
  name: string;
  system: string;
  title: string;
  robot: string;
  character: string;
  switches: SwitchRow[];
}

/** A card in one line, to be shown with all its switches. */
export interface CardWish {
  card: string;
  name?: string;
}

/** A word to the table. */
export interface Chat {
  type: "chat";
  text: string;
}

/** Somebody said something. */
export interface ChatWord {
  type: "chat";
  seat: "E" | "N" | "S" | "W";
  name: string;
  text: string;
  watching: boolean;
}

/** I take this many of the tricks that are left (0 concedes them all). */
export interface Claim {
  type: "claim";
  tricks: number;
}

/** Is a claim proved, and how? */
export interface ClaimReply {
  tricks: number;
  result: string;
  proof: string;
}

/** Results are final. */
export interface CloseEvent {
  type: "close";
}

/**
 * An action that was considered. Values of calls are IMPs, or matchpoints, over the first
 * choice; of cards the chance and the tricks tell more.
 */
export interface Considered {
  action: string;
  value: number | null;
  error: number | null;
  note: string;
  chance: number | null;
  tricks: number | null;
}

/** A match for people who may play in it, with its standings and what is promised. */
export interface ContestPage {
  contest: string;
  title: string;
  day: string;
  boards: number;
  scoring: "imps" | "matchpoints";
  players: number;
  most_players: number;
  chosen: boolean;
  promise: string;
  promises: string[];
  ranking: RankRow[];
}

/** How often a contract is the best one, and the tricks of its strain. */
export interface ContractChance {
  score: number;
  Tricks: number[];
  Percentage: number[];
}

/** The contract, and how many tricks it takes in all. */
export interface ContractShown {
  text: string;
  declarer: "E" | "N" | "S" | "W";
  dummy: "E" | "N" | "S" | "W";
  target: number;
}

/** What the contract makes double dummy, and how far from par that is. */
export interface ContractWorth {
  tricks: number;
  score_ns: number;
  imps_to_par: number;
}

/** A decision that cost a player something, and whether it was wrong or unlucky. */
export interface CostlyDecision {
  table: number;
  board: number;
  kind: "call" | "card";
  index: number;
  seat: "E" | "N" | "S" | "W";
  done: string;
  cost: number;
  best: string[];
  fault?: string;
  word: "close" | "forced" | "good" | "wrong";
  better: string;
  loss: number;
  error: number;
  worlds: number;
}

/**
 * Deals by wishes for each seat, or by a script; `solve` of them, after the first `skip`, are
 * solved double dummy.
 */
export interface DealWish {
  north?: string;
  east?: string;
  south?: string;
  west?: string;
  script?: string;
  count?: number;
  seed?: number;
  show?: number;
  solve?: number;
  skip?: number;
}

/** A deal as a board. */
export interface DealtBoard {
  number: number;
  dealer: "E" | "N" | "S" | "W";
  vul: string;
  hands: Record<string, string[]>;
}

/**
 * Deals that fit, how rare they are, what the hands look like, and what makes double dummy:
 * tricks of North-South in clubs, diamonds, hearts, spades and notrump.
 */
export interface DealtDeals {
  deals: number;
  chance: number;
  hands: Record<string, DealtHand>;
  statistics: DealtStatistic[];
  boards: DealtBoard[];
  pbn: string;
  solved: number[][];
}

/** Points and lengths of one seat over all deals. */
export interface DealtHand {
  hcp: number[];
  mean: number;
  lengths: Record<string, number[]>;
  shapes: ShapeShare[];
}

/** What a script counted: a mean, or how often each number came. */
export interface DealtStatistic {
  label: string;
  value?: number;
  low?: number;
  counts?: number[];
}

/** Of `worlds` layouts the card is better in `better`, the other in `worse`; one of each. */
export interface Deciding {
  other: string;
  worlds: number;
  better: number;
  worse: number;
  layouts: ShownLayout[];
  said: Sentence[];
}

/** An auction typed in, to be explained call by call, with every next call. */
export interface Decode {
  auction: string;
  bidder: string;
  vul?: string;
  dealer?: "E" | "N" | "S" | "W";
  samples?: number;
}

/** An auction explained call by call, and every next call. */
export interface DecodedAuction {
  auction: string;
  turn: "E" | "N" | "S" | "W";
  over: boolean;
  calls: ExplainedCall[];
  next: IllustratedCall[];
}

/** The event for its director; a link that he asked for, told only now. */
export interface DeskPage {
  event: string;
  title: string;
  day: string;
  state: "open" | "over" | "playing";
  movement: "howell" | "mitchell";
  method: "imps" | "matchpoints";
  each: number;
  round: number;
  rounds: number | null;
  ends: number | null;
  more: boolean;
  pairs: EventPair[];
  announced: Announcement[];
  rankings: FieldRanking[];
  travellers: TravellerShown[];
  log: LogLine[];
  mine: MyEvent | null;
  tables: TableOfRound[];
  waiting: Waiting[];
  invitation: string;
  look: string;
}

/** One match of a tournament. */
export interface EncounterRow {
  a: number;
  b: number;
  imps: number;
  boards: number;
  mean: number;
  error: number | null;
  file: string;
  round: number;
  over: boolean;
  points: [number, number];
}

/** The last line: so many answers, and what ended it early, if anything did. */
export interface EndLine {
  type: "end";
  answered: number;
  error: string;
}

/** An engine this server offers: its string, what it is in words, the system it declares. */
export interface EngineOffer {
  spec: string;
  words: string;
  system: string;
}

/** Two engines that met: IMPs for a over all their matches. */
export interface EnginePair {
  a: number;
  b: number;
  imps: number;
  boards: number;
  mean: number;
  error: number | null;
}

/** Who bids and plays for the robots of one side; the bidder's system is the side's system. */
export interface Engines {
  bidder: string;
  player: string;
}

/** Who bids and plays for the robots. */
export interface EnginesOfSides {
  NS: Engines;
  EW: Engines;
}

/** I play in a match: under which name, where, and with which friends at the table. */
export interface Enter {
  name?: string;
  seat?: "E" | "N" | "S" | "W";
  humans?: ("E" | "N" | "S" | "W")[];
}

/** We enter: I and a friend, who comes by a link, or I and a robot. */
export interface EnterPair {
  name: string;
  robot?: boolean;
}

/** An entry as the director sees it, with the name under which it is removed. */
export interface EntryRow {
  entry: string;
  name: string;
  boards: number;
  address: number | null;
}

/** The ranking of an evening, everybody's decisions, all tables. */
export interface EveningReport {
  title: string;
  done: number;
  jobs: number;
  unread: string[];
  warnings: string[];
  pairs: PairRow[];
  players: PlayerRow[];
  tables: TableRow[];
}

/** An event for everybody who has its link. */
export interface EventPage {
  event: string;
  title: string;
  day: string;
  state: "open" | "over" | "playing";
  movement: "howell" | "mitchell";
  method: "imps" | "matchpoints";
  each: number;
  round: number;
  rounds: number | null;
  ends: number | null;
  more: boolean;
  pairs: EventPair[];
  announced: Announcement[];
  rankings: FieldRanking[];
  travellers: TravellerShown[];
  log: LogLine[];
  mine: MyEvent | null;
}

/** A pair that has entered; `number` once it plays. */
export interface EventPair {
  entry: number;
  number: number | null;
  names: [string, string];
  missing: [boolean, boolean];
  robots: [boolean, boolean];
}

/** My place in an event: a token for all my tables, and the link for my partner. */
export interface EventTicket {
  event: string;
  entry: number;
  token: string;
  invitation: string;
}

/** What every call means: as a list in HTML, and as pairs. */
export interface EveryCall {
  explanation: string;
  explanations: [string, string][];
  bba_controlled: boolean;
}

/** What would each call I can make tell partner? */
export interface Explain {
  type: "explain";
}

/** A call that a seat has made, explained. */
export interface ExplainedCall {
  words: string;
  hcp: [number, number];
  lengths: Record<string, [number, number]>;
  forcing: Forcing;
  alert: boolean;
  act: SpeechAct;
  convention: string;
  rule: string;
  announce?: string;
  delayed?: boolean;
  ranges: string;
  exact: string;
  call: string;
  samples?: string[][];
  denies?: string[];
  acts?: string[];
  seat: "E" | "N" | "S" | "W";
}

/** A question of several that could not be answered, and why. */
export interface FailedLine {
  type: "failed";
  index: number;
  error: string;
}

/** The ranking of a direction, or of all. */
export interface FieldRanking {
  field: string;
  rows: PairPlace[];
}

/** The end of a board. */
export interface FinishedBoard {
  type: "board";
  board: BoardReply;
}

export type Forcing = "none" | "one round" | "sign-off" | "to game" | "to slam";

/** A match for several people: everybody plays the same boards, and is ranked. */
export interface Found {
  title?: string;
  boards?: number;
  scoring?: "imps" | "matchpoints";
  ns?: Engines | null;
  ew?: Engines | null;
}

/** What a hidden hand really was. */
export interface HandTruth {
  cards: string[];
  hcp: number;
  lengths: Record<string, number>;
}

/** Is everything as it should be? */
export interface Health {
  ok: boolean;
  version: string;
  waiting: number;
  trouble?: string;
}

/** The chance of every card, of points and lengths, and what the hand really was. */
export interface HiddenHand {
  cards: Record<string, number>;
  shown: string[];
  hcp: number[];
  lengths: Record<string, number[]>;
  truth: HandTruth;
}

/** What would the engine do in my place? */
export interface Hint {
  type: "hint";
}

/**
 * What an engine would do, in the coach's steps: a question, reasons, at last what gives the
 * answer away; and in one sentence what the action does.
 */
export interface HintAnswer {
  type: "hint";
  at: number;
  action: string;
  meaning: ToldInShort;
  candidates: HintCandidate[];
  why: string;
  worlds: number;
  milliseconds: number;
  engine: string;
  cut?: boolean;
  nudge: Sentence[];
  reasons: Sentence[];
  late: Sentence[];
  short: Sentence;
  deciding: Deciding | null;
}

/** An action that was considered, what is to be said of it, and what a call would tell. */
export interface HintCandidate {
  action: string;
  value: number | null;
  error: number | null;
  note: string;
  said: Sentence[];
  meaning: ToldInShort | null;
}

/**
 * A call with what it tells, hands that would make it, and what can be read between the lines
 * where an engine explains that much.
 */
export interface IllustratedCall {
  words: string;
  hcp: [number, number];
  lengths: Record<string, [number, number]>;
  forcing: Forcing;
  alert: boolean;
  act: SpeechAct;
  convention: string;
  rule: string;
  announce?: string;
  delayed?: boolean;
  ranges: string;
  exact: string;
  call: string;
  samples?: string[][];
  denies?: string[];
  acts?: string[];
}

/** A new link: for a person's seat that nobody has taken, or to watch over my shoulder. */
export interface Invite {
  type: "invite";
  seat?: "E" | "N" | "S" | "W" | null;
  watch?: boolean;
}

/** A new link, told once to who has asked for it. */
export interface Invited {
  type: "invited";
  seat: "E" | "N" | "S" | "W";
  watch: boolean;
  invitation: string;
}

/** The first message on a socket: who I am; a browser names itself by a key it has drawn. */
export interface Join {
  type: "join";
  token: string;
  browser?: string;
}

/** I am the partner, or the substitute, by a link. */
export interface JoinPair {
  invitation: string;
  name: string;
}

/**
 * One decision of a board: was it wrong, close, or as good as any? For a call, `also` are those
 * to compare it with, the robot's first; where there are none the robot is asked.
 */
export interface JudgeDecision {
  text: string;
  kind: "call" | "card";
  index: number;
  ns?: string;
  ew?: string;
  also?: string[];
}

/** A board that ends with the auction, scored double dummy; IMPs are for the practising side. */
export interface Judged {
  type: "judged";
  tricks: number | null;
  score_ns: number;
  par_ns: number;
  par: string[];
  imps: number;
  award: number | null;
  best: number | null;
  best_contracts: string[];
  robots: RobotsBid | null;
  field_imps: number | null;
  mark: number | null;
}

/** An action: IMPs gained over what was done, and for cards the chance and the tricks. */
export interface JudgedChoice {
  action: string;
  imps: number;
  error: number;
  chance: number | null;
  tricks: number | null;
  tricks_error: number | null;
}

/** The same at a place of a board; for cards with declarer's tricks double dummy after each. */
export interface JudgedDecision {
  word: "close" | "forced" | "good" | "wrong";
  done: string;
  better: string;
  loss: number;
  error: number;
  worlds: number;
  how: string;
  choices: JudgedChoice[];
  index: number;
  double?: Record<string, number>;
}

/** What the last call means. */
export interface LastCall {
  explanation: string;
  Alert: boolean;
}

/** Positions of one kind, the easier ones first. */
export interface Lesson {
  name: string;
  title: string;
  words: string;
  kind: "call" | "card";
  positions: Position[];
}

/** A lesson with the names of its positions. */
export interface LessonListed {
  name: string;
  title: string;
  words: string;
  kind: "call" | "card";
  positions: string[];
}

/** A board and what happened on it, and the same in the notations people exchange. */
export interface ListedBoard {
  number: number;
  dealer: "E" | "N" | "S" | "W";
  vul: string;
  names: string[];
  hands: Record<string, string[]>;
  calls: NotedCall[];
  contract: string | null;
  declarer: "E" | "N" | "S" | "W" | null;
  leader: "E" | "N" | "S" | "W" | null;
  cards: string[];
  tricks: number | null;
  claimed: boolean;
  result: string | null;
  score_ns: number | null;
  lin: string;
  pbn: string;
  source: string;
  link: string;
  text: string;
}

/** Who waits; with a ticket once a table is found. `wait` is to be sent again. */
export interface LobbyPage {
  wait: string;
  waiting: LobbyRow[];
  ticket: Ticket | null;
}

/** Somebody who waits for company, for so many seconds already. */
export interface LobbyRow {
  name: string;
  boards: number;
  seconds: number;
}

/** A line of the director's log. */
export interface LogLine {
  at: number;
  words: string;
  reason: string;
}

/** One board as LIN or PBN, to be looked into. */
export interface Look {
  text: string;
}

/** One board and the bidders of both sides: what would they have called? */
export interface LookAtCalls {
  text: string;
  ns: string;
  ew: string;
}

/** One board, a player, and which cards: what would it have played? */
export interface LookAtCards {
  text: string;
  player: string;
  start?: number;
  count?: number;
  ns?: string;
  ew?: string;
}

/** A link to look on at a table; the table is told, and whoever looks knows the cards. */
export interface LookAtTable {
  type: "look";
  table: number;
}

/** One decision of a board: what could the other hands be, as that seat saw it? */
export interface LookAtWorlds {
  text: string;
  kind: "call" | "card";
  index: number;
  ns?: string;
  ew?: string;
}

/** A call that was made: what the opponents disclosed of it, or our own side agreed. */
export interface MadeCall {
  seat: "E" | "N" | "S" | "W";
  call: string;
  alert: boolean;
  meaning: ToldInShort | null;
}

/** A call; `at` is how many actions I had seen, so that a late click does nothing else. */
export interface MakeCall {
  type: "call";
  call: string;
  at: number;
}

/** One board: both tables in short, and each as LIN for the review. */
export interface MatchBoard {
  number: number;
  imps: number;
  open: MatchRoom;
  closed: MatchRoom;
}

/** A match in the server's folder. */
export interface MatchListed {
  name: string;
  a: string;
  b: string;
  boards: number;
  method: string;
}

/** Some boards of a duplicate match between two bidders, scored double dummy. */
export interface MatchPiece {
  a: string;
  b: string;
  seed?: number;
  start?: number;
  count?: number;
}

/** Figures and boards of a match as far as it is played. */
export interface MatchReport {
  a: string;
  b: string;
  method: string;
  mean: number;
  error: number | null;
  figures: string[][];
  profile: string[][];
  boards: MatchBoard[];
}

/** One table of a board. */
export interface MatchRoom {
  contract: string;
  declarer: "E" | "N" | "S" | "W" | "";
  made: string;
  score_ns: number;
  lin: string;
}

/**
 * The match a table plays: its score sheet so far, the totals, the place among all; `other` is
 * how robots played this board.
 */
export interface MatchShown {
  contest: string;
  title: string;
  day: string;
  boards: number;
  index: number;
  players: number;
  sheet: SheetRow[];
  other: string;
  imps: number;
  percent: number | null;
  place: number | null;
  ranked: number;
  event: string;
  round_over: boolean;
}

/** What each call would tell partner. */
export interface MeaningsAnswer {
  type: "meanings";
  at: number;
  calls: CallToMake[];
}

/** Between two boards: I want to sit where a robot sits. */
export interface Move {
  type: "move";
  to: "E" | "N" | "S" | "W";
}

/** Where I play: my pair, and in this round my table, seat and opponents. */
export interface MyEvent {
  entry: number;
  pair: number | null;
  name: string;
  partner: string;
  table: string;
  number: number | null;
  seat: "E" | "N" | "S" | "W" | null;
  against: [string, string] | null;
  sits_out: boolean;
}

/** A match just founded, with the token of its director, told only now. */
export interface NewContest {
  contest: string;
  title: string;
  day: string;
  boards: number;
  scoring: "imps" | "matchpoints";
  players: number;
  most_players: number;
  chosen: boolean;
  promise: string;
  promises: string[];
  ranking: RankRow[];
  director: string;
}

/** Under which name an evening is found. */
export interface NewEvening {
  evening: string;
}

/** An event that was arranged, with the token of its director, told only now. */
export interface NewEvent {
  event: string;
  director: string;
}

/** The board is over: deal another. */
export interface Next {
  type: "next";
}

/** A call that has a meaning here. */
export interface NextCall {
  bid: string;
  description: string;
  ranges: string;
  alert: boolean;
  forcing: Forcing;
}

/** The next round; with `unplayed`, boards without a result get an average for both sides. */
export interface NextRound {
  type: "next";
  unplayed?: boolean;
}

/** A call as a record has it. */
export interface NotedCall {
  call: string;
  alert: boolean;
  note: string;
}

/** Why there is no call or card to make. */
export interface NothingToDo {
  message: string;
}

/** A link for a substitute, or for a partner who has lost his. */
export interface OfferPlace {
  type: "offer";
  entry: number;
  member: number;
}

/** The engines this server offers; the first of each list is the default. */
export interface Offered {
  version: string;
  bidders: EngineOffer[];
  players: EngineOffer[];
}

/** A new table. `humans` are the people's seats, `seat` is mine; engines default to the best. */
export interface Open {
  seat?: "E" | "N" | "S" | "W";
  humans?: ("E" | "N" | "S" | "W")[];
  ns?: Engines | null;
  ew?: Engines | null;
  source?: RandomDeal | ScriptDeal | TextDeal | ProblemDeal;
  scoring?: "imps" | "matchpoints";
  take_over?: boolean;
  auto?: boolean;
  auction_only?: boolean;
  silent?: boolean;
  boards?: number;
  name?: string;
}

/** A choice: IMPs it gains over the answer (so below zero), their error, and words for it. */
export interface Option {
  action: string;
  imps: number;
  error: number;
  words: string;
  chance: number | null;
}

/** One board and four robots: how would they have bid and played it? */
export interface OtherTable {
  text: string;
  ns: string;
  ew: string;
  player: string;
}

/** A line of a ranking: per cent, or IMPs a board. */
export interface PairPlace {
  place: number;
  pair: number;
  names: [string, string];
  boards: number;
  total: number;
  percent: number | null;
  adjusted: number;
  mine: boolean;
}

/**
 * A pair's place, its IMPs against the other tables, its matchpoints in per cent. Where nobody
 * changes sides, as in a Mitchell, each direction has a list with places of its own.
 */
export interface PairRow {
  side: "" | "EW" | "NS";
  place: number;
  names: string[];
  boards: number;
  imps: number;
  percent: number | null;
}

/** Par, and the contracts that reach it. */
export interface ParResult {
  score_ns: number;
  contracts: string[];
}

/** Points for a pair, or less than none. */
export interface PenalisePair {
  type: "penalty";
  pair: number;
  points: number;
  reason: string;
}

/** A card of my hand, or of dummy's when I declare. */
export interface PlayCard {
  type: "card";
  card: string;
  at: number;
}

/** One board with another call or card at one place: how do robots finish it? */
export interface PlayOn {
  text: string;
  kind: "call" | "card";
  index: number;
  action: string;
  ns?: string;
  ew?: string;
  player?: string;
}

/** The play so far: this trick, the last one, and who has won the others. */
export interface PlayShown {
  cards: number;
  trick: TrickShown | null;
  last: TrickShown | null;
  won: ("E" | "N" | "S" | "W")[];
  ns: number;
  ew: number;
  declarer_tricks: number;
  left: number;
}

/** A player's place, and what cost most. */
export interface PlayerRow {
  place: number;
  name: string;
  decisions: CostlyDecision[];
  boards: number;
  imps: number;
  percent: number | null;
}

/** A decision as its seat sees it. `hand` and `dummy` are whole, `play` is what has gone. */
export interface Position {
  name: string;
  grade: 1 | 2 | 3;
  dealer: "E" | "N" | "S" | "W";
  vul: string;
  seat: "E" | "N" | "S" | "W";
  hand: string;
  auction: string;
  answers: string[];
  options: Option[];
  reasons: (string | Sentence)[];
  worlds: number;
  nudge?: Sentence[];
  contract?: string;
  declarer?: "E" | "N" | "S" | "W" | null;
  dummy?: string;
  play?: string;
  turn?: "E" | "N" | "S" | "W" | null;
}

/** What the other hands could be, as the seat that had to act saw it. */
export interface PossibleHands {
  seat: "E" | "N" | "S" | "W";
  known: ("E" | "N" | "S" | "W")[];
  worlds: number;
  effective: number;
  how: string;
  hands: Record<string, HiddenHand>;
}

/** How far a deck is and what was earned; only the boards that are over count. */
export interface Practice {
  name: string;
  title: string;
  index: number;
  count: number;
  done: number;
  earned: number;
  possible: number;
  imps: number;
}

/** Who is there now: the rest of the table is as it was. */
export interface Presence {
  type: "presence";
  connected: ("E" | "N" | "S" | "W")[];
  watchers: number;
}

/** Problems to bid: a set of this server by name, or a text of problems or boards. */
export interface ProblemDeal {
  type: "problems";
  set?: string;
  text?: string;
  index?: number;
}

/** A set of bidding problems, without its cards. */
export interface ProblemSet {
  name: string;
  title: string;
  words: string;
  problems: number;
}

/** How far the work has come. */
export interface Progress {
  done: number;
  jobs: number;
}

/** A random board; number and seed make it the same one again. */
export interface RandomDeal {
  type: "random";
  number?: number | null;
  seed?: number | null;
}

/** A place in a match; nothing about any board. */
export interface RankRow {
  place: number;
  name: string;
  boards: number;
  imps: number;
  percent: number | null;
  helped: number;
  unranked: number;
  mine: boolean;
}

/** Somebody's strength, or a pair's: IMPs a board with the standard error. */
export interface RatedRow {
  names: string[];
  value: number;
  error: number;
  boards: number;
  mine: boolean;
}

/**
 * Who is how strong; with `anchored` nought is where the usual robots are, else the average.
 * Listed are those with the fewest boards or more.
 */
export interface RatingPage {
  people: RatedRow[];
  pairs: RatedRow[];
  anchored: boolean;
  fewest: number;
}

/** The addresses under which other machines find this server, if it is open to them. */
export interface Reach {
  open: boolean;
  addresses: string[];
}

/** Boards as text, to be read and listed: a board, a link, or a whole evening's file. */
export interface Read {
  text: string;
}

/** Every complete board of a text, and what was wrong with the rest. */
export interface ReadBoards {
  boards: ListedBoard[];
  unread: string[];
  warnings: string[];
}

/** Why a request was refused, in one line. */
export interface Refusal {
  error: string;
}

/** The director of a match takes an entry and its results out. */
export interface Remove {
  entry: string;
}

/** Whoever sits there has said what nobody should say; the host can read it. */
export interface ReportSeat {
  type: "report";
  seat: "E" | "N" | "S" | "W";
  why?: string;
}

/** What two robots bid on the same cards. */
export interface RobotsBid {
  auction: string;
  contract: string;
  score_ns: number;
  award: number | null;
  mark: number | null;
}

/** A result on a board: what was played, or awarded, and what it was worth. */
export interface ScoreShown {
  number: number;
  ns: number;
  ew: number;
  text: string;
  score: number | null;
  ns_worth: number;
  ew_worth: number;
  ruled: boolean;
}

/** Boards by a script in the language of `dealer`. */
export interface ScriptDeal {
  type: "script";
  text: string;
  number?: number | null;
  seed?: number | null;
}

/** The promise of the cards, and once they are open the text that it is of. */
export interface Seal {
  promise: string;
  text: string | null;
}

/**
 * I would like company for so many boards; `wait` is what I was told the first time. With
 * `begin` I sit down with robots, whose seats are for those who come.
 */
export interface Seek {
  name?: string;
  boards?: 1 | 4 | 8;
  wait?: string;
  begin?: boolean;
  leave?: boolean;
}

/** A sentence for a person: which one, what it speaks of, and how it reads in English. */
export interface Sentence {
  id: string;
  text: string;
  args: Record<string, string | number | string[]>;
}

/** A shape, and in what share of the deals the seat has it. */
export interface ShapeShare {
  shape: string;
  share: number;
}

/** A result as a score sheet has it, for the reader's side. */
export interface SheetLine {
  contract: string;
  declarer: "E" | "N" | "S" | "W" | "";
  made: string;
  tricks: number | null;
  score: number;
}

/** A finished board of a match: my result, the robots', and what that is worth. */
export interface SheetRow {
  index: number;
  number: number;
  line: SheetLine;
  robots: SheetLine | null;
  imps: number | null;
  percent: number | null;
  unranked: "" | "chosen" | "known" | "twice";
  tables: number;
  par: number | null;
  par_contracts: string[];
}

/** What a call or a card tells. */
export interface ShownByCall {
  words: string;
  hcp: [number, number];
  lengths: Record<string, [number, number]>;
  forcing: Forcing;
  alert: boolean;
  act: SpeechAct;
  convention: string;
  rule: string;
  announce: string;
  delayed: boolean;
}

/** Hidden hands as they could be, and whether the card or the other one is better there. */
export interface ShownLayout {
  hands: Record<string, string>;
  better: boolean;
}

/** Who sits for one side: the usual robot unless others are named. */
export interface SideIn {
  engine?: string;
  player?: string;
  system?: string;
  character?: string;
}

/** The double-dummy table, par, and the worth of every card played. */
export interface SolvedBoard {
  table: Record<string, Record<string, number>>;
  par: ParResult;
  cards: CardCosts[];
  contract: ContractWorth | null;
  bidding: BiddingLoss | null;
}

/** Every goal of a holding with its chance, the lines for it in words and as a tree. */
export interface SolvedSuit {
  north: string;
  south: string;
  vacant: number[];
  entries: number[] | null;
  chances: Record<string, number>;
  mean: number;
  lines: SuitLine[];
  matchpoint_best: string | null;
  matchpoint_cycle: string[];
  imp_best: string | null;
  imp_cycle: string[];
  imp_contract: string;
  imp_need: number | null;
  goals: SuitGoal[];
  layouts: SuitLayout[];
  more_layouts: number;
  missing: string;
  line: string;
  plans: Record<string, SuitTrick | null>;
}

export type SpeechAct = "answering" | "asking" | "asserting" | "denying" | "inviting" | "lying" | "ordering" | "pre-empting" | "promising";

/** A robot acts for somebody who is not there. */
export interface StandIn {
  type: "stand-in";
  entry: number;
  member: number;
}

/** The whole table as one seat may see it. */
export interface State {
  type: "state";
  version: number;
  at: number;
  seat: "E" | "N" | "S" | "W";
  phase: "auction" | "over" | "play";
  number: number;
  boards: number;
  dealer: "E" | "N" | "S" | "W";
  vul: string;
  scoring: "imps" | "matchpoints";
  humans: ("E" | "N" | "S" | "W")[];
  connected: ("E" | "N" | "S" | "W")[];
  open: ("E" | "N" | "S" | "W")[];
  names: Record<string, string>;
  away: ("E" | "N" | "S" | "W")[];
  match: MatchShown | null;
  asked: Wish | null;
  engines: EnginesOfSides;
  systems: SystemsOfSides;
  hands: Record<string, string[]>;
  places: Record<string, string[]>;
  auction: MadeCall[];
  contract: ContractShown | null;
  play: PlayShown | null;
  turn: "E" | "N" | "S" | "W" | null;
  mine: boolean;
  legal: string[];
  rulings: string[];
  can_undo: boolean;
  can_claim: boolean;
  practice: Practice | null;
  chosen: boolean;
  links: Record<string, number>;
  shared: string[];
  seen: number;
  sealed: Seal | null;
  result: BoardResult | null;
  trouble: string;
  watching: boolean;
  watchers: number;
}

/** Somebody is not there: let a robot act for the seat until they are back. */
export interface Substitute {
  type: "substitute";
  seat: "E" | "N" | "S" | "W";
}

/** What the second hand plays, and the card against it. */
export interface SuitAnswer {
  cards: string[];
  chance: number;
  card: string | null;
  outcomes: SuitOutcome[];
}

/** So many tricks, with the best line for them. */
export interface SuitGoal {
  tricks: number;
  chance: number;
  line: string;
}

/** How the missing cards may lie, and what each line takes then. */
export interface SuitLayout {
  west: string;
  east: string;
  chance: number;
  tricks: Record<string, number>;
}

/** A way to play a suit: its words and the chance of so many tricks. */
export interface SuitLine {
  name: string;
  good_for: string[];
  words: string;
  chances: Record<string, number>;
  mean: number;
}

/** What the fourth hand shows, whether the trick is won, and how the suit goes on. */
export interface SuitOutcome {
  cards: string[];
  wins: boolean;
  chance: number;
  then: SuitTrick | null;
}

/** A trick of a plan; a sure one has no answers to wait for. */
export interface SuitTrick {
  hand: "N" | "S";
  card: string;
  low: boolean;
  tactic: string;
  sure: boolean;
  answers: SuitAnswer[];
  third?: string | null;
}

/** One suit, North opposite South; an entry count of -1 is as many as needed. */
export interface SuitWish {
  north: string;
  south: string;
  tricks?: number | null;
  vacant?: [number, number];
  entries?: [number, number] | null;
}

/** A switch of a convention card. */
export interface SwitchRow {
  name: string;
  title: string;
  about: string;
  topic: string;
  on: boolean;
  standard: boolean;
  fixed: boolean;
  needs: string[];
  excludes: string[];
}

/** A system whose book can be read. */
export interface SystemName {
  name: string;
  title: string;
}

/** What each side plays. */
export interface SystemsOfSides {
  NS: string;
  EW: string;
}

/** A table as the director sees it: how far it is, who is there; no card. */
export interface TableOfRound {
  table: number;
  ns: number;
  ew: number;
  board: number;
  done: number;
  of: number;
  phase: string;
  turn: "E" | "N" | "S" | "W" | null;
  connected: ("E" | "N" | "S" | "W")[];
  away: ("E" | "N" | "S" | "W")[];
  called: string | null;
}

/** One board at one table, beside the others. */
export interface TableRow {
  table: number;
  board: number;
  deal: number;
  names: string[];
  contract: string | null;
  declarer: "E" | "N" | "S" | "W" | null;
  result: string | null;
  score_ns: number | null;
  text: string;
  imps_ns: number | null;
  percent_ns: number | null;
  par_ns: number | null;
}

/** A pasted board: PBN, LIN, RBN, a hand viewer link or a deal in one line. */
export interface TextDeal {
  type: "text";
  text: string;
  index?: number;
}

/** Several questions at once; with `stream` each answer comes as soon as it is there. */
export interface ThinkAllIn {
  questions: ThinkIn[];
  stream?: boolean;
}

/** What a seat sees, and whom to ask: the fields of `overtrick.think`. */
export interface ThinkIn {
  hand: string;
  auction?: string;
  dealer?: "E" | "N" | "S" | "W";
  vul?: "All" | "EW" | "NS" | "None";
  dummy?: string;
  played?: string;
  engine?: string;
  system?: string;
  theirs?: string;
  character?: string;
  scoring?: "imps" | "matchpoints";
  seconds?: number | null;
  seed?: number;
}

/** The answer to one question of several. */
export interface ThoughtLine {
  type: "thought";
  index: number;
  thought: ThoughtReply;
}

/**
 * A decision: the call or card, what it shows, why, what else there was, and what it rests on.
 * `cut`: a clock ended the thinking. `note`: what is missing here.
 */
export interface ThoughtReply {
  action: string;
  meaning: ShownByCall;
  candidates: Considered[];
  why: string;
  worlds: number;
  seed: number;
  milliseconds: number;
  engine: string;
  cut: boolean;
  note: string;
}

/**
 * What an engine thought of a decision on a board that is over: its own, or a person's, whom it
 * may have told (`told`). `made` is what was done.
 */
export interface ThoughtShown {
  at: number;
  seat: "E" | "N" | "S" | "W";
  made: string;
  action: string;
  meaning: ToldInShort | null;
  candidates: HintCandidate[];
  reasons: Sentence[];
  worlds: number;
  engine: string;
  version: string;
  cut: boolean;
  told: boolean;
  deciding: Deciding | null;
}

/** The answers to several questions, in their order. */
export interface Thoughts {
  answers: (ThoughtLine | FailedLine)[];
}

/** My seat at a table; the invitations are for the other people's links. */
export interface Ticket {
  table: string;
  seat: "E" | "N" | "S" | "W";
  token: string;
  invitations: Record<string, string>;
  watching: boolean;
}

/** A call of a board with its explanation. */
export interface ToldCall {
  bid: string;
  explanation: string;
  alert: boolean;
}

/** With the ranges that tell something, as players say them. */
export interface ToldInShort {
  words: string;
  hcp: [number, number];
  lengths: Record<string, [number, number]>;
  forcing: Forcing;
  alert: boolean;
  act: SpeechAct;
  convention: string;
  rule: string;
  announce?: string;
  delayed?: boolean;
  ranges: string;
}

/** A tournament in the server's folder. */
export interface TournamentListed {
  name: string;
  kind: "ladder" | "pairs" | "round-robin" | "swiss";
  engines: string[];
  boards: number;
  matches: number;
  method: string;
}

/** The table, ratings with errors, who beat whom, every match. */
export interface TournamentReport {
  name: string;
  kind: "ladder" | "pairs" | "round-robin" | "swiss";
  engines: string[];
  boards: number;
  rounds: number;
  method: string;
  deals: string;
  seed: number;
  rows: TournamentRow[];
  pairs: EnginePair[];
  matches: EncounterRow[];
  byes: ByeRow[];
}

/** An engine's place. */
export interface TournamentRow {
  place: number;
  engine: number;
  points: number;
  points_error: number | null;
  matches: number;
  won: number;
  drawn: number;
  rating: number;
  error: number | null;
}

/** A board with all its results and hands, once the event is over. */
export interface TravellerShown {
  board: number;
  dealer: "E" | "N" | "S" | "W";
  vul: string;
  deal: string;
  top: number;
  rows: ScoreShown[];
}

/** A trick, and who wins it as it is. */
export interface TrickShown {
  leader: "E" | "N" | "S" | "W";
  cards: CardOnTable[];
  winner: "E" | "N" | "S" | "W";
}

/** What was wrong with a message. */
export interface Trouble {
  type: "error";
  error: string;
}

/**
 * Take back my last action and everything after it; alone with robots, an earlier one of mine:
 * the board is as it was after `to` actions.
 */
export interface Undo {
  type: "undo";
  to?: number | null;
}

/** An evening's file, to be kept, compared and judged in the background. */
export interface Upload {
  text: string;
  title?: string;
}

/** A board of a table without a result that counts; `why` a result of its own does not. */
export interface Waiting {
  table: number;
  board: number;
  why: string;
}

/** What somebody would like that the others must agree to, about which seat, and who agrees. */
export interface Wish {
  seat: "E" | "N" | "S" | "W";
  what: "invite" | "substitute" | "undo";
  about: "E" | "N" | "S" | "W" | null;
  agreed: ("E" | "N" | "S" | "W")[];
}

/** An entry is taken out before the event begins. */
export interface WithdrawPair {
  type: "withdraw";
  entry: number;
}

interface Sent {
  query?: Record<string, string | undefined>;
  body?: unknown;
  token?: string;
}

function quoted(place: string): string {
  return place.split("/").map(encodeURIComponent).join("/");
}

/**
 * A server. `key` is what programs on other machines need; `token`, which some methods take, is the
 * seat's or the director's, as the answer to opening or joining has it.
 */
export class Overtrick {
  readonly address: string;
  private readonly key: string;

  constructor(address = "http://127.0.0.1:8000", key = "") {
    this.address = address.replace(/\/+$/, "");
    this.key = key;
  }

  private async open(verb: string, path: string, sent: Sent): Promise<Response> {
    const given = Object.entries(sent.query ?? {}).filter((pair) => pair[1] !== undefined);
    const asked = new URLSearchParams(given as [string, string][]).toString();
    const headers: Record<string, string> = {};
    if (sent.body !== undefined) headers["Content-Type"] = "application/json";
    const who = sent.token ?? this.key;
    if (who !== "") headers["Authorization"] = `Bearer ${who}`;
    const answer = await fetch(this.address + path + (asked ? `?${asked}` : ""), {
      method: verb,
      headers,
      body: sent.body === undefined ? null : JSON.stringify(sent.body),
    });
    if (answer.ok) return answer;
    const text = await answer.text();
    let words = text.slice(0, 300);
    try {
      words = String(JSON.parse(text).error);
    } catch {
      // A proxy between here and there may say it in its own way.
    }
    throw new Refused(answer.status, words);
  }

  private async text(verb: string, path: string, sent: Sent = {}): Promise<string> {
    return (await this.open(verb, path, sent)).text();
  }

  private async json<T>(verb: string, path: string, sent: Sent = {}): Promise<T> {
    return (await (await this.open(verb, path, sent)).json()) as T;
  }

  private async *lines<T>(verb: string, path: string, sent: Sent): AsyncGenerator<T> {
    const body = (await this.open(verb, path, sent)).body;
    if (body === null) return;
    const reader = body.getReader();
    const decoder = new TextDecoder();
    let rest = "";
    try {
      for (;;) {
        const { done, value } = await reader.read();
        rest += decoder.decode(value, { stream: !done });
        const whole = rest.split("\n");
        rest = whole.pop() ?? "";
        for (const line of whole) if (line !== "") yield JSON.parse(line) as T;
        if (done) return;
      }
    } finally {
      await reader.cancel();
    }
  }

  /** Open a table */
  newTable(asked: Open): Promise<Ticket> {
    return this.json("POST", "/api/tables", { body: asked });
  }

  /** Use an invitation */
  tableJoin(table: string, asked: Accept): Promise<Ticket> {
    return this.json("POST", `/api/tables/${quoted(table)}/join`, { body: asked });
  }

  /** Call, play, undo, claim, ask; answers with the state or what was asked */
  tableAct(table: string, token: string, asked: MakeCall | PlayCard | Undo | Claim | Hint | Explain | Next | Again | Agree | Chat | Substitute | Move | Invite | BlockSeat | ReportSeat): Promise<State | HintAnswer | MeaningsAnswer | Invited> {
    return this.json("POST", `/api/tables/${quoted(table)}/act`, { body: asked, token });
  }

  /** A match for several people */
  newContest(asked: Found): Promise<NewContest> {
    return this.json("POST", "/api/contests", { body: asked });
  }

  /** Play in a match */
  contestEnter(contest: string, asked: Enter): Promise<Ticket> {
    return this.json("POST", `/api/contests/${quoted(contest)}/enter`, { body: asked });
  }

  /** The director takes an entry out; all that are left */
  contestRemove(contest: string, token: string, asked: Remove): Promise<EntryRow[]> {
    return this.json("POST", `/api/contests/${quoted(contest)}/remove`, { body: asked, token });
  }

  /** Company for some boards; asked again and again */
  lobby(asked: Seek): Promise<LobbyPage> {
    return this.json("POST", "/api/lobby", { body: asked });
  }

  /** Who waits for company */
  getLobby(): Promise<LobbyPage> {
    return this.json("GET", "/api/lobby");
  }

  /** Who is how strong, with the error */
  getRatings(): Promise<RatingPage> {
    return this.json("GET", "/api/ratings");
  }

  /** Arrange an event of pairs */
  newEvent(asked: Arrange): Promise<NewEvent> {
    return this.json("POST", "/api/events", { body: asked });
  }

  /** Enter as a pair */
  eventEnter(event: string, asked: EnterPair): Promise<EventTicket> {
    return this.json("POST", `/api/events/${quoted(event)}/enter`, { body: asked });
  }

  /** Join as the partner or a substitute, by a link */
  eventJoin(event: string, asked: JoinPair): Promise<EventTicket> {
    return this.json("POST", `/api/events/${quoted(event)}/join`, { body: asked });
  }

  /** Director, please */
  eventCall(event: string, asked: CallDirector): Promise<EventPage> {
    return this.json("POST", `/api/events/${quoted(event)}/call`, { body: asked });
  }

  /** What the director does; answers with the desk */
  eventDirect(event: string, asked: BeginEvent | NextRound | AdjustScore | PenalisePair | Announce | OfferPlace | StandIn | WithdrawPair | AddRobots | Attended | LookAtTable | CloseEvent): Promise<DeskPage> {
    return this.json("POST", `/api/events/${quoted(event)}/direct`, { body: asked });
  }

  /** An event of pairs, and my own place in it */
  getEvent(event: string): Promise<EventPage> {
    return this.json("GET", `/api/events/${quoted(event)}`);
  }

  /**
   * Results to print; ?form=csv, pbn or xml are files, csv with ?what=ranking, recap or
   * travellers
   */
  getEventResults(event: string): Promise<string> {
    return this.text("GET", `/api/events/${quoted(event)}/results`);
  }

  /** The event as its director sees it */
  getEventDesk(event: string): Promise<DeskPage> {
    return this.json("GET", `/api/events/${quoted(event)}/desk`);
  }

  /** Read and list boards of any notation */
  reviewRead(asked: Read): Promise<ReadBoards> {
    return this.json("POST", "/api/review/read", { body: asked });
  }

  /** Double dummy, par, cost of each card */
  reviewSolve(asked: Look): Promise<SolvedBoard> {
    return this.json("POST", "/api/review/solve", { body: asked });
  }

  /** What engines would have called */
  reviewCalls(asked: LookAtCalls): Promise<CallBeside[]> {
    return this.json("POST", "/api/review/calls", { body: asked });
  }

  /** What an engine would play */
  reviewCards(asked: LookAtCards): Promise<CardBeside[]> {
    return this.json("POST", "/api/review/cards", { body: asked });
  }

  /** Four robots play the board */
  reviewTable(asked: OtherTable): Promise<BoardAgain> {
    return this.json("POST", "/api/review/table", { body: asked });
  }

  /** What a seat thought possible */
  reviewWorlds(asked: LookAtWorlds): Promise<PossibleHands> {
    return this.json("POST", "/api/review/worlds", { body: asked });
  }

  /** Was a call or card wrong? */
  reviewJudge(asked: JudgeDecision): Promise<JudgedDecision> {
    return this.json("POST", "/api/review/judge", { body: asked });
  }

  /** Robots finish a changed board */
  reviewPlayOn(asked: PlayOn): Promise<BoardAgain> {
    return this.json("POST", "/api/review/play-on", { body: asked });
  }

  /** A whole evening, ranked and judged */
  newEvening(asked: Upload): Promise<NewEvening> {
    return this.json("POST", "/api/evenings", { body: asked });
  }

  /** Explain an auction and every next call */
  decode(asked: Decode): Promise<DecodedAuction> {
    return this.json("POST", "/api/decode", { body: asked });
  }

  /** The best way to play one suit */
  suit(asked: SuitWish): Promise<SolvedSuit> {
    return this.json("POST", "/api/suit", { body: asked });
  }

  /** Deals to order, with statistics */
  deal(asked: DealWish): Promise<DealtDeals> {
    return this.json("POST", "/api/deal", { body: asked });
  }

  /** A page of a system's book */
  book(asked: BookWish): Promise<BookPage> {
    return this.json("POST", "/api/book", { body: asked });
  }

  /** A convention card with all its switches */
  card(asked: CardWish): Promise<CardShown> {
    return this.json("POST", "/api/card", { body: asked });
  }

  /** A card of ours or of BBA's, read */
  cardRead(asked: CardFile): Promise<CardRead> {
    return this.json("POST", "/api/card/read", { body: asked });
  }

  /** Some deals bid by a card and by its standard: what it gains */
  cardCost(asked: CardCost): Promise<CardGains> {
    return this.json("POST", "/api/card/cost", { body: asked });
  }

  /** Boards of a match between bidders */
  match(asked: MatchPiece): Promise<MatchBoard[]> {
    return this.json("POST", "/api/match", { body: asked });
  }

  /** Is the server there? */
  getHealth(): Promise<Health> {
    return this.json("GET", "/api/health");
  }

  /** The engines it offers, the default ones first */
  getEngines(): Promise<Offered> {
    return this.json("GET", "/api/engines");
  }

  /** This description */
  getOpenapi(): Promise<Record<string, unknown>> {
    return this.json("GET", "/api/openapi.json");
  }

  /** The table as my seat sees it */
  getTable(table: string, token: string): Promise<State> {
    return this.json("GET", `/api/tables/${quoted(table)}`, { token });
  }

  /** What was thought on a board that is over */
  getTableThoughts(table: string, token: string, query: { board?: string; at?: string; } = {}): Promise<ThoughtShown[]> {
    return this.json("GET", `/api/tables/${quoted(table)}/thoughts`, { query, token });
  }

  /** A match: who plays, the ranking; `daily` is today's */
  getContest(contest: string, query: { table?: string; } = {}): Promise<ContestPage> {
    return this.json("GET", `/api/contests/${quoted(contest)}`, { query });
  }

  /** All entries of a match, for its director */
  getContestEntries(contest: string, token: string): Promise<EntryRow[]> {
    return this.json("GET", `/api/contests/${quoted(contest)}/entries`, { token });
  }

  /** The addresses under which other machines find this server */
  getHere(): Promise<Reach> {
    return this.json("GET", "/api/here");
  }

  /** The systems whose books can be read */
  getSystems(): Promise<SystemName[]> {
    return this.json("GET", "/api/systems");
  }

  /** A card as a page to print */
  getCardPrint(query: { card?: string; name?: string; form?: string; } = {}): Promise<string> {
    return this.text("GET", "/api/card/print", { query });
  }

  /** The sets of bidding problems */
  getProblems(): Promise<ProblemSet[]> {
    return this.json("GET", "/api/problems");
  }

  /** An uploaded evening */
  getEvening(evening: string, query: { brief?: string; } = {}): Promise<EveningReport | Progress> {
    return this.json("GET", `/api/evenings/${quoted(evening)}`, { query });
  }

  /** The lessons: positions with answers */
  getLessons(): Promise<LessonListed[]> {
    return this.json("GET", "/api/lessons");
  }

  /** One lesson with its positions */
  getLesson(lesson: string): Promise<Lesson> {
    return this.json("GET", `/api/lessons/${quoted(lesson)}`);
  }

  /** The arena's matches in this server's folder */
  getMatches(): Promise<MatchListed[]> {
    return this.json("GET", "/api/matches");
  }

  /** One match: figures and boards; TOURNAMENT/FILE for one of those */
  getMatch(name: string): Promise<MatchReport> {
    return this.json("GET", `/api/matches/${quoted(name)}`);
  }

  /** The arena's tournaments in this server's folder */
  getTournaments(): Promise<TournamentListed[]> {
    return this.json("GET", "/api/tournaments");
  }

  /** One tournament: table, ratings, who beat whom, matches */
  getTournament(name: string): Promise<TournamentReport> {
    return this.json("GET", `/api/tournaments/${quoted(name)}`);
  }

  /** What the robot calls, or plays, for what one seat sees */
  think(asked: ThinkIn): Promise<ThoughtReply> {
    return this.json("POST", "/api/think", { body: asked });
  }

  /** Several questions; with stream each answer as it comes */
  thinkAll(asked: Omit<ThinkAllIn, "stream">): Promise<Thoughts> {
    return this.json("POST", "/api/think/all", { body: asked });
  }

  /**
   * Several questions; with stream each answer as it comes. Each line as it comes; the last one
   * is of type `end`.
   */
  thinkAllLines(asked: Omit<ThinkAllIn, "stream">): AsyncGenerator<
    ThoughtLine | FailedLine | ActionLine | FinishedBoard | EndLine
  > {
    return this.lines("POST", "/api/think/all", { body: { ...asked, stream: true } });
  }

  /** A whole board by four robots; with stream action by action */
  board(asked: Omit<BoardIn, "stream">): Promise<BoardReply> {
    return this.json("POST", "/api/board", { body: asked });
  }

  /**
   * A whole board by four robots; with stream action by action. Each line as it comes; the last
   * one is of type `end`.
   */
  boardLines(asked: Omit<BoardIn, "stream">): AsyncGenerator<
    ThoughtLine | FailedLine | ActionLine | FinishedBoard | EndLine
  > {
    return this.lines("POST", "/api/board", { body: { ...asked, stream: true } });
  }

  /** What to call: hand, seat, dealer, vul, ctx; details=true adds what else was considered. */
  bid(query: { hand?: string; seat?: string; dealer?: string; vul?: string; ctx?: string; tournament?: string; details?: string; engine?: string; system?: string; theirs?: string; seconds?: string; character?: string; } = {}): Promise<BidReply | NothingToDo> {
    return this.json("GET", "/bid", { query });
  }

  /** Every call that has a meaning after ctx, with the meaning. */
  bids(query: { dealer?: string; vul?: string; ctx?: string; system?: string; theirs?: string; } = {}): Promise<NextCall[]> {
    return this.json("GET", "/bids", { query });
  }

  /** The opening lead: hand, seat, dealer, vul, ctx. */
  lead(query: { hand?: string; seat?: string; dealer?: string; vul?: string; ctx?: string; tournament?: string; details?: string; engine?: string; system?: string; theirs?: string; seconds?: string; } = {}): Promise<CardReply | NothingToDo> {
    return this.json("GET", "/lead", { query });
  }

  /** The next card: hand, dummy, seat, dealer, vul, ctx, played; for dummy ask as declarer. */
  play(query: { hand?: string; seat?: string; dealer?: string; vul?: string; ctx?: string; tournament?: string; details?: string; engine?: string; system?: string; theirs?: string; seconds?: string; dummy?: string; played?: string; format?: string; } = {}): Promise<CardReply | NothingToDo> {
    return this.json("GET", "/play", { query });
  }

  /** May the side to play claim `tricks` more? Only what holds in every layout is accepted. */
  claim(query: { hand?: string; dummy?: string; seat?: string; dealer?: string; vul?: string; ctx?: string; played?: string; format?: string; tricks?: string; } = {}): Promise<ClaimReply | NothingToDo> {
    return this.json("GET", "/claim", { query });
  }

  /**
   * Where two hands belong: hand, dummy, seat, vul. A contract's score is the share of deals in
   * which no other is better for the side, with silent opponents and double-dummy play.
   */
  contract(query: { hand?: string; dummy?: string; seat?: string; vul?: string; } = {}): Promise<Record<string, ContractChance>> {
    return this.json("GET", "/contract", { query });
  }

  /** What the last call of ctx means. */
  explain(query: { seat?: string; dealer?: string; vul?: string; ctx?: string; system?: string; theirs?: string; } = {}): Promise<LastCall> {
    return this.json("GET", "/explain", { query });
  }

  /** What every call of ctx means; as a list in HTML, and as pairs. */
  explainAuction(query: { seat?: string; dealer?: string; vul?: string; ctx?: string; system?: string; theirs?: string; } = {}): Promise<EveryCall> {
    return this.json("GET", "/explain_auction", { query });
  }

  /**
   * A whole board by four robots: deal, and board or dealer and vul; bidding_only=true ends it
   * after the auction, which may be given.
   */
  autoplay(query: { deal?: string; board?: string; dealer?: string; vul?: string; tournament?: string; bidding_only?: string; auction?: string; engine?: string; player?: string; system?: string; character?: string; } = {}): Promise<BoardReply> {
    return this.json("GET", "/autoplay", { query });
  }

}
