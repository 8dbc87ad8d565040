import { writeSync } from 'node:fs'

type Step = 'claiming' | 'claimed' | 'uploaded' | 'prepared' | 'sending' | 'answered' | 'settling' | 'settled'

/** Receives each step, with the post's ID except for `claiming`. */
export type Observe = (step: Step, postId: string | null) => void

/** After which a request has been sent and its provider is working. */
const providerDelayMs = 40

/**
 * Kills this process in tests at the n-th time of a step: `KILL_AT=prepared:3`, `:SIGSTOP` to stop it, and
 * `:SIGKILL:250` to do it so many milliseconds later. Those of first comments are `comment_prepared` and so on.
 */
export function killAt(setting: string | undefined, prefix: '' | 'comment_' = ''): Observe {
  if (!setting) return () => {}
  const [wanted, nth = '1', signal = 'SIGKILL', delay] = setting.split(':')
  const delayMs = delay === undefined ? (wanted === `${prefix}sending` ? providerDelayMs : 0) : Number(delay)
  let left = Number(nth)
  return (step, postId) => {
    if (`${prefix}${step}` !== wanted || --left !== 0) return
    const kill = () => {
      writeSync(2, `${signal} after ${step} of ${postId}\n`)
      process.kill(process.pid, signal)
    }
    if (delayMs > 0) setTimeout(kill, delayMs)
    else kill()
  }
}
