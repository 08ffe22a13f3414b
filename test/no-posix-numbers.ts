/** What no record may have as its POSIX number: numbers of the system, numbers that do not fit, and other spellings. */
export const noPosixNumbers: readonly string[] = [
  ...['0', '-1', '-1000', '1', '99', '499', '65534', '65535', '4294967294', '4294967295', '4294967296'],
  ...['4294968296', '18446744073709552616', '9007199254741992', '1e3', '0x3e8', '01000', '+1000', '1000.0', '1000.5'],
  ...['1,000', '１０００', 'NaN', 'Infinity', 'root', "1000'; drop table users; --"],
]
