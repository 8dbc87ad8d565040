type Step = 'claiming' | 'claimed' | 'uploaded' | 'prepared' | 'sending' | 'answered' | 'settling' | 'settled'

/** Receives each step, with the post's ID except for `claiming`. */
export type Observe = (step: Step, postId: string | null) => void

/** After which a request has been sent and its provider is working. */
const providerDelayMs = 40

/**
 * Kills this process in tests at the n-th time of a step: `KILL_AT=prepared:3`, or `:SIGSTOP` to stop it. Those of first
 * comments are `comment_prepared` and so on.
 */
export function killAt(setting: string | undefined, prefix: '' | 'comment_' = ''): Observe {
  if (!setting) return () => {}
  const [wanted, nth = '1', signal = 'SIGKILL'] = setting.split(':')
  let left = Number(nth)
  return (step) => {
    if (`${prefix}${step}` !== wanted || --left !== 0) return
    const kill = () => process.kill(process.pid, signal)
    if (step === 'sending') setTimeout(kill, providerDelayMs)
    else kill()
  }
}
