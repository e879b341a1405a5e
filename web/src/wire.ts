// Made by web/wire.py from the server's own types; do not edit.

export type SeatLetter = "E" | "N" | "S" | "W";

/** An invitation from a link, to be exchanged for a seat's token. */
export interface Accept {
  invitation: string;
  name?: string;
}

/** A pair of robots enters. */
export interface AddRobots {
  type: "robots";
}

/**
 * A result for a board of a table: per cent for both sides, or a contract ("4SX N") and its tricks;
 * neither is passed out.
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

/** What the auction gave away against par, as a player would say it. */
export interface BiddingLoss {
  side: "EW" | "NS";
  imps: number;
  kind: string;
  best: string | null;
  by: SeatLetter | null;
  vulnerable: boolean;
  score_ns: number;
  par_ns: number;
}

/** I do not want to meet, or to read, whoever sits there. */
export interface BlockSeat {
  type: "block";
  seat: SeatLetter;
}

/** The same board played otherwise, with the IMPs between the two. */
export interface BoardAgain {
  number: number;
  dealer: SeatLetter;
  vul: string;
  names: string[];
  hands: Record<SeatLetter, string[]>;
  calls: NotedCall[];
  contract: string | null;
  declarer: SeatLetter | null;
  leader: SeatLetter | null;
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

/** A board that is over: all four hands are open, and everything may be told. */
export interface BoardResult {
  text: string;
  tricks: number | null;
  score_ns: number | null;
  claimed: boolean;
  claim: string;
  hands: Record<SeatLetter, string[]>;
  lin: string;
  judged: Judged | null;
  awards: Record<string, number>;
}

/** A page of a system's book: the auction so far, every call that has a meaning, the card. */
export interface BookPage {
  system: string;
  title: string;
  auction: string;
  turn: SeatLetter;
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
  seat: SeatLetter;
  call: string;
  meaning: ToldInShort;
  engine: string;
  engine_meaning: string;
  why: string;
  imps: number | null;
  instead: string;
}

/** Director, please. */
export interface CallDirector {
  words?: string;
}

/** A call with what it would tell. */
export interface CallToMake {
  words: string;
  hcp: [number, number];
  lengths: Record<"C" | "D" | "H" | "S", [number, number]>;
  forcing: "none" | "one round" | "to game" | "to slam" | "sign-off";
  alert: boolean;
  act:
    | "asserting"
    | "denying"
    | "asking"
    | "answering"
    | "pre-empting"
    | "ordering"
    | "inviting"
    | "promising"
    | "lying";
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
  seat: SeatLetter;
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
 * What a card gains on some deals over its standard: the sum and the sum of squares, in IMPs, both
 * rooms of a deal together.
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
  seat: SeatLetter;
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
  seat: SeatLetter;
  name: string;
  text: string;
  watching: boolean;
}

/** I take this many of the tricks that are left (0 concedes them all). */
export interface Claim {
  type: "claim";
  tricks: number;
}

/** Results are final. */
export interface CloseEvent {
  type: "close";
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

/** The contract, and how many tricks it takes in all. */
export interface ContractShown {
  text: string;
  declarer: SeatLetter;
  dummy: SeatLetter;
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
  seat: SeatLetter;
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
  dealer: SeatLetter;
  vul: string;
  hands: Record<SeatLetter, string[]>;
}

/**
 * Deals that fit, how rare they are, what the hands look like, and what makes double dummy: tricks
 * of North-South in clubs, diamonds, hearts, spades and notrump.
 */
export interface DealtDeals {
  deals: number;
  chance: number;
  hands: Record<SeatLetter, DealtHand>;
  statistics: DealtStatistic[];
  boards: DealtBoard[];
  pbn: string;
  solved: number[][];
}

/** Points and lengths of one seat over all deals. */
export interface DealtHand {
  hcp: number[];
  mean: number;
  lengths: Record<"C" | "D" | "H" | "S", number[]>;
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
  dealer?: SeatLetter;
  samples?: number;
}

/** An auction explained call by call, and every next call. */
export interface DecodedAuction {
  auction: string;
  turn: SeatLetter;
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
  seat?: SeatLetter;
  humans?: SeatLetter[];
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

/** What would each call I can make tell partner? */
export interface Explain {
  type: "explain";
}

/** A call that a seat has made, explained. */
export interface ExplainedCall {
  words: string;
  hcp: [number, number];
  lengths: Record<"C" | "D" | "H" | "S", [number, number]>;
  forcing: "none" | "one round" | "to game" | "to slam" | "sign-off";
  alert: boolean;
  act:
    | "asserting"
    | "denying"
    | "asking"
    | "answering"
    | "pre-empting"
    | "ordering"
    | "inviting"
    | "promising"
    | "lying";
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
  seat: SeatLetter;
}

/** The ranking of a direction, or of all. */
export interface FieldRanking {
  field: string;
  rows: PairPlace[];
}

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
  lengths: Record<"C" | "D" | "H" | "S", number>;
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
  lengths: Record<"C" | "D" | "H" | "S", number[]>;
  truth: HandTruth;
}

/** What would the engine do in my place? */
export interface Hint {
  type: "hint";
}

/**
 * What an engine would do, in the coach's steps: a question, reasons, at last what gives the answer
 * away; and in one sentence what the action does.
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
 * A call with what it tells, hands that would make it, and what can be read between the lines where
 * an engine explains that much.
 */
export interface IllustratedCall {
  words: string;
  hcp: [number, number];
  lengths: Record<"C" | "D" | "H" | "S", [number, number]>;
  forcing: "none" | "one round" | "to game" | "to slam" | "sign-off";
  alert: boolean;
  act:
    | "asserting"
    | "denying"
    | "asking"
    | "answering"
    | "pre-empting"
    | "ordering"
    | "inviting"
    | "promising"
    | "lying";
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
  seat?: SeatLetter | null;
  watch?: boolean;
}

/** A new link, told once to who has asked for it. */
export interface Invited {
  type: "invited";
  seat: SeatLetter;
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
 * One decision of a board: was it wrong, close, or as good as any? For a call, `also` are those to
 * compare it with, the robot's first; where there are none the robot is asked.
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
  dealer: SeatLetter;
  vul: string;
  names: string[];
  hands: Record<SeatLetter, string[]>;
  calls: NotedCall[];
  contract: string | null;
  declarer: SeatLetter | null;
  leader: SeatLetter | null;
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
  seat: SeatLetter;
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
  declarer: SeatLetter | "";
  made: string;
  score_ns: number;
  lin: string;
}

/**
 * The match a table plays: its score sheet so far, the totals, the place among all; `other` is how
 * robots played this board.
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
  to: SeatLetter;
}

/** Where I play: my pair, and in this round my table, seat and opponents. */
export interface MyEvent {
  entry: number;
  pair: number | null;
  name: string;
  partner: string;
  table: string;
  number: number | null;
  seat: SeatLetter | null;
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
  seat?: SeatLetter;
  humans?: SeatLetter[];
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
  won: SeatLetter[];
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
  dealer: SeatLetter;
  vul: string;
  seat: SeatLetter;
  hand: string;
  auction: string;
  answers: string[];
  options: Option[];
  reasons: (Sentence | string)[];
  worlds: number;
  nudge?: Sentence[];
  contract?: string;
  declarer?: SeatLetter | null;
  dummy?: string;
  play?: string;
  turn?: SeatLetter | null;
}

/** What the other hands could be, as the seat that had to act saw it. */
export interface PossibleHands {
  seat: SeatLetter;
  known: SeatLetter[];
  worlds: number;
  effective: number;
  how: string;
  hands: Partial<Record<SeatLetter, HiddenHand>>;
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
  connected: SeatLetter[];
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
 * Who is how strong; with `anchored` nought is where the usual robots are, else the average. Listed
 * are those with the fewest boards or more.
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
  seat: SeatLetter;
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
 * I would like company for so many boards; `wait` is what I was told the first time. With `begin` I
 * sit down with robots, whose seats are for those who come.
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
  declarer: SeatLetter | "";
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

/** Hidden hands as they could be, and whether the card or the other one is better there. */
export interface ShownLayout {
  hands: Partial<Record<SeatLetter, string>>;
  better: boolean;
}

/** The double-dummy table, par, and the worth of every card played. */
export interface SolvedBoard {
  table: Record<string, Record<SeatLetter, number>>;
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
  seat: SeatLetter;
  phase: "auction" | "over" | "play";
  number: number;
  boards: number;
  dealer: SeatLetter;
  vul: string;
  scoring: "imps" | "matchpoints";
  humans: SeatLetter[];
  connected: SeatLetter[];
  open: SeatLetter[];
  names: Partial<Record<SeatLetter, string>>;
  away: SeatLetter[];
  match: MatchShown | null;
  asked: Wish | null;
  engines: EnginesOfSides;
  systems: SystemsOfSides;
  hands: Partial<Record<SeatLetter, string[]>>;
  places: Partial<Record<SeatLetter, string[]>>;
  auction: MadeCall[];
  contract: ContractShown | null;
  play: PlayShown | null;
  turn: SeatLetter | null;
  mine: boolean;
  legal: string[];
  rulings: string[];
  can_undo: boolean;
  can_claim: boolean;
  practice: Practice | null;
  chosen: boolean;
  links: Partial<Record<SeatLetter, number>>;
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
  seat: SeatLetter;
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
  turn: SeatLetter | null;
  connected: SeatLetter[];
  away: SeatLetter[];
  called: string | null;
}

/** One board at one table, beside the others. */
export interface TableRow {
  table: number;
  board: number;
  deal: number;
  names: string[];
  contract: string | null;
  declarer: SeatLetter | null;
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

/**
 * What an engine thought of a decision on a board that is over: its own, or a person's, whom it may
 * have told (`told`). `made` is what was done.
 */
export interface ThoughtShown {
  at: number;
  seat: SeatLetter;
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

/** My seat at a table; the invitations are for the other people's links. */
export interface Ticket {
  table: string;
  seat: SeatLetter;
  token: string;
  invitations: Partial<Record<SeatLetter, string>>;
  watching: boolean;
}

/** With the ranges that tell something, as players say them. */
export interface ToldInShort {
  words: string;
  hcp: [number, number];
  lengths: Record<"C" | "D" | "H" | "S", [number, number]>;
  forcing: "none" | "one round" | "to game" | "to slam" | "sign-off";
  alert: boolean;
  act:
    | "asserting"
    | "denying"
    | "asking"
    | "answering"
    | "pre-empting"
    | "ordering"
    | "inviting"
    | "promising"
    | "lying";
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
  dealer: SeatLetter;
  vul: string;
  deal: string;
  top: number;
  rows: ScoreShown[];
}

/** A trick, and who wins it as it is. */
export interface TrickShown {
  leader: SeatLetter;
  cards: CardOnTable[];
  winner: SeatLetter;
}

/** What was wrong with a message. */
export interface Trouble {
  type: "error";
  error: string;
}

/**
 * Take back my last action and everything after it; alone with robots, an earlier one of mine: the
 * board is as it was after `to` actions.
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
  seat: SeatLetter;
  what: "invite" | "substitute" | "undo";
  about: SeatLetter | null;
  agreed: SeatLetter[];
}

/** An entry is taken out before the event begins. */
export interface WithdrawPair {
  type: "withdraw";
  entry: number;
}

export type Done = State | HintAnswer | MeaningsAnswer | Invited;

export type Frame = State | HintAnswer | MeaningsAnswer | Invited | Presence | ChatWord | Trouble;

export type DirectorsWord =
    | BeginEvent
    | NextRound
    | AdjustScore
    | PenalisePair
    | Announce
    | OfferPlace
    | StandIn
    | WithdrawPair
    | AddRobots
    | Attended
    | LookAtTable
    | CloseEvent;
