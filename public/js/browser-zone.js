import { ownZone } from './lib/time-zones.js'

/** Tells the server the browser's time zone: pages show times in it unless the person prefers another one. */
const cookie = `zone=${encodeURIComponent(ownZone())}`
const secure = location.protocol === 'https:' ? '; Secure' : ''
if (!document.cookie.split('; ').includes(cookie))
  document.cookie = `${cookie}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`
