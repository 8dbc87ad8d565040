/** What people append to satisfy password rules, such as a year and an exclamation mark. */
const suffix = /[^a-z]{1,5}$/

/** Loaded when the first password is checked: the lists take 50 ms to read. */
let lists: Promise<(text: string) => boolean> | undefined

/** In any case, also with a short suffix such as `2024!` (IDN-02). */
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
