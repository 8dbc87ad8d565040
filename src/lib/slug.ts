const longest = 48

/** A slug from a name: `Café Größe & Co` → `cafe-grosse-co`; `fallback` for a name without Latin letters or digits. */
export function slugOf(name: string, fallback: string): string {
  const plain = name
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
  const slug = trimmed(plain)
  return slug.length >= 3 ? slug : trimmed(slug ? `${slug}-${fallback}` : fallback)
}

/** The nth try at a free slug: `acme`, `acme-2`, `acme-3` … */
export function numberedSlug(slug: string, nth: number): string {
  if (nth === 1) return slug
  const ending = `-${nth}`
  return trimmed(slug.slice(0, longest - ending.length)) + ending
}

const trimmed = (text: string): string => text.replace(/^-+/, '').slice(0, longest).replace(/-+$/, '')
