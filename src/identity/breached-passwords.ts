/** How many characters people put behind a word to please a rule: a year and a sign. */
const suffix = /[^a-z]{1,5}$/

/** The lists, read when the first password is chosen: nobody waits for 50 ms of them at the start. */
let lists: Promise<(text: string) => boolean> | undefined

/**
 * Whether a password is among those that everybody guesses first (IDN-02): on a list of leaked ones in any case of its
 * letters, or such a one with a year or a sign behind it.
 */
export async function isBreached(password: string): Promise<boolean> {
  lists ??= readLists()
  const isListed = await lists
  const lower = password.toLowerCase()
  return isListed(lower) || isListed(lower.replace(suffix, ''))
}

async function readLists(): Promise<(text: string) => boolean> {
  const [{ dictionary }, long] = await Promise.all([
    import('@zxcvbn-ts/language-common'),
    import('fxa-common-password-list'),
  ])
  const common = new Set(dictionary['passwords-common'])
  return (text) => common.has(text) || long.default.test(text)
}
