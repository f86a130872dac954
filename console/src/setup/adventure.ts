import type {
  CampaignCreate,
  CharacterCreate,
  DiceRollCreatePool,
  ItemCreate,
  NoteCreate,
  PoolRequest,
  TrackerSet,
} from '@guildhall/client'

// The sample table, as data: a village, a mystery, and everything that three players and a storyteller need for a quarter of an hour. Every text is here, so that it can be translated
// as a whole. Keys name parts of the table for the setup, which finds by them what it has made before: do not change them.

/** The people at the table. Each has a key, by which they are found again. */
export type PersonKey = 'storyteller' | 'ada' | 'ben' | 'cleo'
export type PlayerKey = Exclude<PersonKey, 'storyteller'>

interface Keyed {
  key: string
}

export interface SampleNote extends NoteCreate, Keyed {
  by: PersonKey
}

export interface SampleCharacter extends CharacterCreate, Keyed {
  trackers?: Record<string, TrackerSet>
  items?: (ItemCreate & Keyed)[]
  quickRolls?: { key: string; name: string; pool: { traits: string[]; difficulty: number } }[]
  notes?: SampleNote[]
}

export interface SampleRoll extends Keyed {
  by: PersonKey
  /** The key of a character. */
  as: string
  pool: PoolRequest
  comment: string
  visibility?: NonNullable<DiceRollCreatePool['visibility']>
}

export const company = {
  name: 'The Second Kettle',
  description: 'A table by the stove, four chairs, and a story to begin with.',
}

export const people: readonly { key: PersonKey; name: string; role: 'STORYTELLER' | 'PLAYER' }[] = [
  { key: 'storyteller', name: 'Robin', role: 'STORYTELLER' },
  { key: 'ada', name: 'Ada', role: 'PLAYER' },
  { key: 'ben', name: 'Ben', role: 'PLAYER' },
  { key: 'cleo', name: 'Cleo', role: 'PLAYER' },
]

export const campaign: CampaignCreate = {
  name: 'Nine Strokes at Wendlemere',
  description:
    'Wendlemere is a village around a pond, and the pond has a bell in it. Nobody remembers how it got there. Every night it tolls nine times, and every morning somebody has lost their name.',
  status: 'ACTIVE',
  danger: 2,
  desperation: 1,
  in_game_date: 'The last evening of October',
}

/** Clocks and counters of the campaign. */
export const clocks: Record<string, TrackerSet> = {
  names_lost: { label: 'Names lost', value: 2, maximum: 6, start: 0, style: 'CLOCK' },
  lantern_oil: { label: 'Lantern oil', value: 4, maximum: 5, style: 'BOXES', movable_by: 'MEMBERS' },
  ninth_stroke: { label: 'The sexton loses patience', value: 1, maximum: 4, start: 0, style: 'CLOCK', visibility: 'STORYTELLER' },
}

const full = (maximum: number): Pick<TrackerSet, 'value' | 'maximum' | 'style'> => ({ value: maximum, maximum, style: 'BOXES' })

/** The characters of the players, ready to play. */
export const heroes: Record<PlayerKey, SampleCharacter> = {
  ada: {
    key: 'hazel',
    name: 'Hazel Underbough',
    concept: 'Retired mapmaker who never trusts a blank spot',
    biography:
      'Hazel drew every road of the county, and then moved to the one village that she had drawn wrong. She says that the pond used to be a churchyard. Nobody believes her yet.',
    traits: { wits: 4, lore: 3, nerve: 2, charm: 2, craft: 2, stealth: 1, athletics: 1 },
    details: { home: 'The attic above the bakery', fear: 'Places that are not on any map' },
    trackers: { health: { label: 'Health', ...full(4) }, resolve: { label: 'Resolve', ...full(4) } },
    items: [
      { key: 'map', name: 'County map of 1788', description: 'Shows a chapel where the pond is now.', kind: 'BOOK' },
      { key: 'pencils', name: 'Stub of pencil', kind: 'EQUIPMENT', quantity: 6 },
      { key: 'toffee', name: 'Bag of toffees', description: 'Opens more doors than a key.', kind: 'CONSUMABLE', quantity: 9 },
    ],
    quickRolls: [{ key: 'study', name: 'Study the old map', pool: { traits: ['wits', 'lore'], difficulty: 6 } }],
    notes: [
      {
        key: 'confession',
        by: 'ada',
        title: 'What I have not told the others',
        body: 'I left the chapel off my own map. Somebody paid me to. I no longer know *who*.',
        visibility: 'AUTHOR',
      },
    ],
  },
  ben: {
    key: 'barnaby',
    name: 'Barnaby Crook',
    concept: 'Honest burglar: he only takes what is missing',
    biography:
      'Barnaby returns stolen things for a small fee. He came to Wendlemere for a silver spoon, and stayed because of the soup. This morning he could not remember what his mother calls him.',
    traits: { stealth: 4, charm: 3, athletics: 3, nerve: 3, wits: 2, lore: 1, craft: 1 },
    details: { home: 'A room at the Second Kettle, paid until Friday', fear: 'Being forgotten' },
    trackers: { health: { label: 'Health', ...full(5) }, resolve: { label: 'Resolve', ...full(3) } },
    items: [
      { key: 'picks', name: 'Lockpicks in a hymn book', kind: 'EQUIPMENT' },
      { key: 'spoon', name: 'Silver spoon', description: 'Engraved “T. Q., with thanks from the parish”.', kind: 'OTHER' },
    ],
    quickRolls: [
      { key: 'sneak', name: 'Slip past', pool: { traits: ['stealth', 'nerve'], difficulty: 6 } },
      { key: 'talk', name: 'Talk my way in', pool: { traits: ['charm', 'wits'], difficulty: 6 } },
    ],
  },
  cleo: {
    key: 'clementine',
    name: 'Clementine Vale',
    concept: 'Bell founder’s apprentice who hears what metal wants',
    biography:
      'Clementine has cast eleven bells and given each of them a name. When she heard the bell in the pond, she knew two things: it is cracked, and it is calling somebody.',
    traits: { craft: 4, athletics: 3, nerve: 3, lore: 2, wits: 2, charm: 2, stealth: 1 },
    details: { home: 'A cart with a forge in it', fear: 'Deep water' },
    trackers: { health: { label: 'Health', ...full(5) }, resolve: { label: 'Resolve', ...full(3) } },
    items: [
      { key: 'hammer', name: 'Tuning hammer', description: 'Too soft to hurt, too true to lie.', kind: 'EQUIPMENT' },
      { key: 'rope', name: 'Coil of bell rope', kind: 'EQUIPMENT' },
      { key: 'flare', name: 'Signal flare', kind: 'CONSUMABLE', quantity: 2 },
    ],
    quickRolls: [{ key: 'listen', name: 'Listen to the metal', pool: { traits: ['craft', 'wits'], difficulty: 6 } }],
  },
}

/** The characters of the storyteller. Players do not see the last one. */
export const npcs: readonly SampleCharacter[] = [
  {
    key: 'marigold',
    name: 'Marigold Tuck',
    concept: 'Innkeeper of the Second Kettle, whose name is embroidered on everything she owns',
    biography: 'Has not lost her name, because she reads it forty times a day. Trades rumors for firewood.',
    traits: { charm: 4, wits: 3, nerve: 2 },
  },
  {
    key: 'ferrywoman',
    name: 'The ferrywoman',
    concept: 'Rows across the pond, and answers to “you there” since Monday',
    biography: 'She heard the ninth stroke on the water, and felt her name slip over the side like a dropped ring.',
    traits: { athletics: 4, nerve: 3, lore: 1 },
  },
  {
    key: 'pim',
    name: 'Constable Pim Hartley',
    concept: 'Investigates strictly by the book, and has lost the book',
    biography: 'Keeps the key of the church tower on a string around his neck. He will lend it to anyone who finds his rule book.',
    traits: { nerve: 3, wits: 2, athletics: 2 },
  },
  {
    key: 'sexton',
    name: 'Tobias Quill, the sexton under the pond',
    concept: 'He rings so that somebody will ask who is ringing',
    biography:
      'When the chapel sank, the village saved the silver and forgot the sexton. He takes names because he wants one called out loud: his own. Whoever says “Tobias Quill” to him ends it.',
    traits: { nerve: 5, lore: 4, craft: 3 },
    visibility: 'STORYTELLER',
    trackers: { loneliness: { label: 'Loneliness', value: 5, maximum: 6, start: 6, style: 'BOXES', visibility: 'STORYTELLER' } },
  },
]

export const book = {
  key: 'book',
  name: 'The Bell in the Pond',
  description: 'One evening in Wendlemere, from the first toll to the last.',
  chapters: [
    {
      key: 'chapter-1',
      name: 'You there',
      description:
        'Rain, soup, and a ferrywoman who weeps because nobody can tell her who she is. At nine the bell tolls under the water. The lamps at the Second Kettle burn blue.',
      notes: [
        {
          key: 'rumors',
          by: 'storyteller',
          title: 'Rumors at the Second Kettle',
          body: '- The bell only tolls when there is **mist** on the pond.\n- Constable Pim has the key of the church tower.\n- The silver of the old chapel was shared out. Nobody says what else was saved.',
          visibility: 'EVERYONE',
        },
      ] satisfies SampleNote[],
    },
    {
      key: 'chapter-2',
      name: 'Under the ninth stroke',
      description: 'The church register lies in the tower. One page is wet, though it has not rained there for a hundred years.',
      notes: [] as SampleNote[],
    },
  ],
}

export const notes: readonly SampleNote[] = [
  {
    key: 'how-to-play',
    by: 'storyteller',
    title: 'How to play, in one minute',
    body: 'Say what your character does. If it could go wrong, choose **two traits** that help and roll that many ten-sided dice: 6 or more is a success, and a 10 counts twice.\n\nIn trouble? Add a **desperation die**. It helps, but it may ask for a price.',
    visibility: 'EVERYONE',
  },
  {
    key: 'known',
    by: 'storyteller',
    title: 'What everyone in Wendlemere knows',
    body: 'The pond is deep in the middle. The bell was never seen, only heard. Whoever hears the *ninth* stroke from the water’s edge may wake up without a name.',
    visibility: 'EVERYONE',
  },
  {
    key: 'truth',
    by: 'storyteller',
    title: 'What is really going on',
    body: 'The sexton **Tobias Quill** drowned with his chapel, and the village forgot him. He rings to be asked for his name.\n\nThree clues lead to it: the initials on Barnaby’s spoon, the chapel on Hazel’s map, and the wet page of the register in the tower. Two are enough.\n\nCall him by his name, and he gives the others back.',
    visibility: 'STORYTELLER',
  },
  {
    key: 'scenes',
    by: 'storyteller',
    title: 'Fifteen minutes in three scenes',
    body: '1. **The Second Kettle** (five minutes). The ferrywoman asks for help. Each hero rolls once to learn a rumor.\n2. **The tower** (five minutes). Pim has the key. Read the register, difficulty 6. Each failure fills a segment of *The sexton loses patience*.\n3. **The water’s edge** (five minutes). Nine strokes: roll nerve with anything. At the ninth, somebody must say the name.\n\nIf *Names lost* is full, Wendlemere forgets what it is called. Then the sequel begins.',
    visibility: 'STORYTELLER',
  },
]

/** Rolls of the first minutes, so that the feed and the statistics have something to show. */
export const rolls: readonly SampleRoll[] = [
  { key: 'roll-1', by: 'ada', as: 'hazel', pool: { traits: ['wits', 'lore'], difficulty: 6 }, comment: 'Where did the chapel stand?' },
  { key: 'roll-2', by: 'ben', as: 'barnaby', pool: { traits: ['charm', 'wits'], difficulty: 6 }, comment: 'Cheering up the ferrywoman' },
  {
    key: 'roll-3',
    by: 'cleo',
    as: 'clementine',
    pool: { traits: ['craft', 'wits'], difficulty: 7 },
    comment: 'What is wrong with the bell?',
  },
  {
    key: 'roll-4',
    by: 'storyteller',
    as: 'sexton',
    pool: { traits: ['nerve', 'lore'], difficulty: 6 },
    comment: 'The first stroke',
    visibility: 'STORYTELLER',
  },
  {
    key: 'roll-5',
    by: 'ben',
    as: 'barnaby',
    pool: { traits: ['nerve', 'stealth'], difficulty: 6, desperation_dice: 1 },
    comment: 'Holding on to my name',
  },
  { key: 'roll-6', by: 'ada', as: 'hazel', pool: { traits: ['nerve', 'charm'], difficulty: 6 }, comment: 'Borrowing the key of the tower' },
]

/** The first award, to all players. */
export const award = { key: 'award', amount: 3, reason: 'For coming to Wendlemere in the rain' }

/** One of the players has learned something from it. */
export const spending = {
  key: 'spending',
  by: 'ben',
  amount: 2,
  trait: { name: 'lore', to: 2 },
  reason: 'An evening with the parish records',
} as const
