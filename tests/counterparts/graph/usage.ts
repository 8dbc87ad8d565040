/** The headers with an app's usage in percent, and minutes until calls are accepted again. */
export function usageHeaders(app: string, type: string, percent: number, minutes = 0): Record<string, string> {
  const counts = { call_count: percent, total_time: percent, total_cputime: percent }
  const business = { [app]: [{ type, ...counts, estimated_time_to_regain_access: minutes }] }
  return { 'x-app-usage': JSON.stringify(counts), 'x-business-use-case-usage': JSON.stringify(business) }
}
