import { evolve, generateOrganisation, type Organisation } from '../fakes/organisation.ts'

/** A company of the demo: an organisation that changes from day to day, the same way every time. */
export interface Company {
  organisation: Organisation
  /** Joiners, leavers, moves, new names. */
  nextDay: () => Organisation
}

const changesPerDay = 12

/** The three companies of the demo after so many days, for ExtA, ExtB and ExtC. */
export const openCompanies = (days: number): readonly [Company, Company, Company] => [
  openCompany(days, { seed: 11, people: 96, departments: 14, mailDomain: 'lanqiao.example', jobNumbersAfter: 0 }),
  openCompany(days, { seed: 12, people: 64, departments: 12, mailDomain: 'qinghe.example', jobNumbersAfter: 20_000 }),
  openCompany(days, { seed: 13, people: 40, departments: 9, mailDomain: 'yunshan.example', jobNumbersAfter: 40_000 }),
]

interface CompanyOptions {
  seed: number
  people: number
  departments: number
  mailDomain: string
  /** What its first job number follows: no two companies give out the same. */
  jobNumbersAfter: number
}

const openCompany = (days: number, { seed, ...options }: CompanyOptions): Company => {
  const { people, departments } = options
  let organisation = named(generateOrganisation({ seed, people, departments, depth: 3, oddities: false }), options)
  let day = 0
  const nextDay = (): Organisation => {
    day += 1
    organisation = mailed(evolve(organisation, seed * 1000 + day, changesPerDay), options)
    return organisation
  }
  while (day < days) nextDay()
  return {
    get organisation() {
      return organisation
    },
    nextDay,
  }
}

type Names = Pick<CompanyOptions, 'mailDomain' | 'jobNumbersAfter'>

const named = (organisation: Organisation, names: Names): Organisation => {
  const { departments, people } = mailed(organisation, names)
  const renumbered = people.map((person) => ({ ...person, jobNumber: shifted(person.jobNumber, names) }))
  return { departments, people: renumbered }
}

/** Every generated organisation has the same domain and counts from the same number; companies do not. */
const mailed = (organisation: Organisation, { mailDomain }: Names): Organisation => ({
  ...organisation,
  people: organisation.people.map((person) => ({ ...person, mail: person.mail.replace(/@.*/, `@${mailDomain}`) })),
})

const shifted = (jobNumber: string, { jobNumbersAfter }: Names): string =>
  jobNumber && `E${String(Number(jobNumber.slice(1)) + jobNumbersAfter).padStart(6, '0')}`
