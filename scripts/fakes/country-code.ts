/** The codes of the generated numbers; a number of another country is told from its first two digits. */
const codes = ['86', '49', '44', '1', '33', '81', '65', '91', '852']

/** `+8613812345678` as `{ countryCode: '86', number: '13812345678' }`; without a code it is Chinese. */
export const splitMobile = (mobile: string): { countryCode: string; number: string } => {
  if (!mobile.startsWith('+')) return { countryCode: '86', number: mobile }
  const digits = mobile.slice(1)
  const countryCode = codes.find((code) => digits.startsWith(code)) ?? digits.slice(0, 2)
  return { countryCode, number: digits.slice(countryCode.length) }
}
