// Scripts of elements that a swap brings; a page's own are in its head.
document.addEventListener('htmx:after:swap', () => {
  const names = [...document.querySelectorAll(':not(:defined)')].map(({ localName }) => localName)
  for (const name of new Set(names)) if (!name.startsWith('hx-')) void import(`./elements/${name}.js`)
})
