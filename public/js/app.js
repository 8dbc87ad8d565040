// The custom elements of every page.
import './elements/command-palette.js'
import './elements/form-problem.js'
import './elements/made-key.js'
import './elements/media-picker.js'
import './elements/post-composer.js'
import './elements/reveal-password.js'
import './elements/toast-region.js'
import './elements/zone-choice.js'
