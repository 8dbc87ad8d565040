import { showConflict } from '../lib/composer-conflict.js'
import { PostComposer } from './post-composer.js'

/** Opens the newer version beside what is typed. */
class CompareVersions extends HTMLElement {
  connectedCallback() {
    this.addEventListener('click', ({ target }) => {
      if (!(target instanceof Element) || !target.closest('[data-compare]')) return
      const composer = document.querySelector('post-composer')
      if (composer instanceof PostComposer) void showConflict(composer)
    })
  }
}

customElements.define('compare-versions', CompareVersions)
