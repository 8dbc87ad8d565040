import { capitalize } from '../text.ts'

const irregular: Readonly<Record<string, string>> = {
  begin: 'Began',
  set: 'Set',
  submit: 'Submitted',
  withdraw: 'Withdrew',
}

/** The past tense of a verb: `revoke` is "Revoked". */
export function pastTense(verb: string): string {
  const known = irregular[verb]
  if (known) return known
  if (verb.endsWith('e')) return capitalize(`${verb}d`)
  return capitalize(/[^aeiou]y$/.test(verb) ? verb.replace(/y$/, 'ied') : `${verb}ed`)
}

const abbreviations = new Set(['api', 'sso', 'totp'])

/** The words of a name in the API: `createApiKey` is "create", "API", "key". */
export const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
    .split(' ')
    .map((word) => (abbreviations.has(word) ? word.toUpperCase() : word))

/** `a` or `an`. */
export const articleOf = (words: string): string => (/^[aeio]|^u(?!s|ni)|^SSO/i.test(words) ? 'an' : 'a')
