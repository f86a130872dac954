/** A small document without faults, to begin a game with. It shows each part that most games have. */
export const starterDocument = (name: string): Record<string, unknown> => ({
  format: 1,
  name,
  description: '',
  source: { license: 'LicenseRef-private', attribution: null, url: null, changes: null },
  groups: { attributes: { label: 'Attributes', min: 1, max: 5 }, skills: { label: 'Skills', min: 0, max: 5 } },
  traits: {
    body: { label: 'Body', group: 'attributes' },
    mind: { label: 'Mind', group: 'attributes' },
    fighting: { label: 'Fighting', group: 'skills' },
    searching: { label: 'Searching', group: 'skills' },
  },
  derived: { resolve: { label: 'Resolve', formula: 'body + mind' } },
  trackers: { health: { label: 'Health', max: 'body + 4' } },
  rolls: {
    test: {
      label: 'Test',
      inputs: {
        attribute: { trait: 'attributes' },
        skill: { trait: 'skills', optional: true },
        difficulty: { number: { min: 2, max: 30, default: 8 } },
      },
      dice: { dice: '2d6' },
      score: 'total + attribute + skill',
      margin: 'score - difficulty',
      outcomes: [
        { when: 'score >= difficulty', code: 'success', outcome: 'SUCCESS' },
        { code: 'failure', outcome: 'FAILURE' },
      ],
    },
  },
  examples: [
    {
      name: 'somebody strong',
      sheet: { traits: { body: 3 } },
      expect: { derived: { resolve: 4 }, limits: { health: 7 } },
    },
  ],
})
