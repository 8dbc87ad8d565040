/** Applies a chosen theme immediately, while htmx saves it. */
document.addEventListener('click', ({ target }) => {
  const theme = target instanceof Element && target.closest('[data-theme-choice]')?.getAttribute('data-theme-choice')
  if (!theme) return
  const { documentElement: root } = document
  if (theme === 'system') root.removeAttribute('data-theme')
  else root.setAttribute('data-theme', theme)
  for (const each of document.querySelectorAll('[data-theme-choice][aria-pressed]'))
    each.setAttribute('aria-pressed', String(each.getAttribute('data-theme-choice') === theme))
})
