const maxLength = 48

/** A slug from a name: `Café Größe & Co` → `cafe-grosse-co`; `fallback` for a name without Latin letters or digits. */
export function slugOf(name: string, fallback: string): string {
  const plain = name
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
  const slug = trimSlug(plain)
  return slug.length >= 3 ? slug : trimSlug(slug ? `${slug}-${fallback}` : fallback)
}

export const maxNumber = 999_999

export const numberedPrefix = (slug: string): string => trimSlug(slug.slice(0, maxLength - `-${maxNumber}`.length))

/** `acme`, `acme-2`, `acme-3` … */
export const numberedSlug = (slug: string, nth: number): string => (nth === 1 ? slug : `${numberedPrefix(slug)}-${nth}`)

const trimSlug = (text: string): string => text.replace(/^-+/, '').slice(0, maxLength).replace(/-+$/, '')
