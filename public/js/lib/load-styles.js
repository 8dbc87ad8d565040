/** By address. @type {Map<string, Promise<unknown>>} */
const loading = new Map()

/** A stylesheet, once. Styles that can't be loaded are left out. @param {string} [href] */
export function loadStyles(href) {
  if (!href || isLoaded(href)) return loading.get(href ?? '')
  const { promise, resolve } = Promise.withResolvers()
  const styles = document.createElement('link')
  Object.assign(styles, { rel: 'stylesheet', href })
  for (const type of ['load', 'error']) styles.addEventListener(type, resolve)
  document.head.append(styles)
  loading.set(href, promise)
  return promise
}

/** A visit of another page can have removed them. @param {string} href */
const isLoaded = (href) => [...document.querySelectorAll('link')].some((link) => link.getAttribute('href') === href)
