// What every page needs. Elements of single pages have scripts of their own (views/shell/layout.tsx).
import './elements/form-problem.js'
import './elements/toast-region.js'
import './browser-zone.js'
import './delete-body.js'
import './keep-address.js'
import './lib/keep-focus.js'
import './live.js'
import './load-elements.js'
import './load-menus.js'
import './menu-keys.js'
import './register-worker.js'
import './reset-dialogs.js'
import './send-nothing.js'
import './sign-out.js'
import './theme.js'
import './validity.js'

if (document.getElementById('posts')) void import('./elements/post-list.js')
