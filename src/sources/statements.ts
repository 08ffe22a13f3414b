import { statementsOf } from '../failures/statement-table.ts'

/** What the diagnosis of a source and the reports of its runs say about it. */
export const statements = statementsOf('sources', {
  // What a diagnosis found
  token_issued: '{platform} issued an access token',
  whole_in_range: 'the whole organisation is in the app’s range',
  in_range: '{departments} departments and {people} single people are in the app’s range',
  root_visible: 'the root is visible, and directly below it {departments} departments',
  root_visible_at_first: 'the root is visible, and directly below it {departments} departments at first glance',
  root_hidden: 'the root is not visible, only {departments} departments below it',
  departments_with_root: '{departments} departments are visible, the root among them',
  departments_without_root: '{departments} departments are visible, the root is not among them',
  ids_alone: '{found}, by their ids alone',
  sample_read: 'a sample of {people} people was read',
  signed_in: 'signed in to {host} as {account}',
  base_readable: '{dn} can be read, and has the {identity} that entries are known by',
  own_place:
    'the service itself writes below {baseDn} on this server; people in its own units and the groups of organisations there are left out',
  like_own_place: 'the base holds the units people and disabled, as where this service writes to',
  other_place: 'it is not where this service writes to',
  ldap_departments: 'departments: {departments}, at the top: {top}; selected by {filter}',
  ldap_people: 'people: {people}; selected by {filter}; a sample of {sample} was read in full',

  // Why a source cannot be read
  no_department_visible: 'the app on {platform} may see no department',
  endless: 'its list goes on after {limit} records',
  endless_pages: 'its list goes on after {limit} pages without a record',
  endless_places: 'its list goes on after {limit} departments',
  pages_repeat: '{platform} answers the same pages of {what} over and over',
  no_usable_answer: '{platform} gave no answer that can be used for {what}: {problem}',
  refused: '{platform} refused {what}: {code} {words}',
  after_one_try: '{problem}, also after 1 more try',
  after_tries: '{problem}, also after {count} more tries',
  malformed: '{platform} answered for {what} without {lacks}',
  connection_closed: 'the connection to {platform} was closed',
  closed: 'the source was closed',
  step_late: 'not done within {seconds} s',
  people_hidden: 'WeCom stopped showing people while they were read ({code})',
  base_missing: '{dn} is not there, or may not be read',
  identity_missing: '{dn} has no {identity}, by which entries are known through renames and moves',
  members_changed: '{dn} changed while its members were read, or the server did not answer them all',
  setting_wrong: '{setting}: {problem}',
  directory_said: '{problem}',
  platform_said: '{words}',
  no_json: 'no JSON ({shape})',
  too_many_calls: 'too many calls from this address',
  no_answer_in_time: 'no answer within {seconds} s',
  answer_too_large: 'the answer is larger than {bytes} bytes',
  answer_too_full: 'the answer is too full to be read: it has more than {values} values, or values nested too deeply',
  connection_failed: 'the connection failed',
  connection_failed_by: 'the connection failed ({code})',

  // What was asked for
  the_token: 'an access token',
  the_range: 'what the app may see',
  the_department: 'department {department}',
  the_departments_below: 'the departments below {department}',
  the_departments: 'the departments',
  the_people: 'the people of department {department}',
  the_ids: 'the ids of the people',
  // What an answer lacks
  lacks_token: 'the token',
  lacks_department: 'the department',
  lacks_departments: 'departments that have ids',
  lacks_people: 'people that have ids',
  lacks_items: 'items with {field}',
  lacks_next_page: 'the next page',

  // Why a snapshot is incomplete
  part_in_range: 'the app may only see part of the organisation (departments in its range: {departments}): {advice}',
  people_one_by_one: 'people whom the app was given to see one by one are not read ({people} of them): {advice}',
  parts_visible: 'the app may not see the whole organisation, only parts of it: {advice}',
  department_hidden: 'the app may not see department {departments} ({code}): {advice}',
  without_id: '{what}: some have no id, and are left out',
  more_without_id: 'in {count} more lists some have no id, and are left out',
  departments_hidden: 'the app may not see departments {departments} ({code}): {advice}',
  disabled_unknown: 'the app may only see ids: whom WeCom has disabled looks like everybody else',
  on_other_servers: 'parts of the tree are on other servers and were not read: {urls}',
  dns_unreadable: 'entries whose DNs cannot be read count as directly below the base: {entries}',
  // What else is said of a snapshot
  nested_groups: 'groups that other groups list: {groups}; their people do not count as people of those others',
  resolve_nested: 'Set EXTLDAP_NESTED_GROUPS=on if they are meant to.',

  some_more: '{names} and {count} more',
  gaps_found: '{gap}; {others}',

  // What to do
  widen_dingtalk: 'widen the range of departments that the app may see to all employees',
  widen_feishu: 'set the range of contacts that the app may see to all members',
  widen_wecom: 'widen the range of departments that the app may see to the whole organisation',
  let_app_see: 'Let the app see the organisation: {advice}.',
  all_employees: 'Widen the range of departments that the app may see to all employees.',
  all_members: 'Set the range of contacts that the app may see to all members.',
  whole_organisation: 'Widen the range of departments that the app may see to the whole organisation.',
  narrow_or_tell:
    'Steward reads no larger organisation: narrow what the source shows. If it is not that large, the source makes up its list and has to be mended.',
  tell_if_lasting: 'Try again; if it stays so, {platform} has to be told.',
  check_address: 'Check the address of {platform} and that this server may reach it; if it does, try again later.',
  check_address_or_platform:
    'Check the address of {platform}; if it is right, the platform answers otherwise than it documents.',
  platform_slow: 'The platform is slow or limits this app; try again in some minutes.',
  check_wecom_permissions: 'Check the permissions of the app, and its list of trusted addresses.',
  none_directly: 'No person is directly in the first departments.',
  show_fields: '{fields}: {how}',
  and_also: '{advice}; {others}',
  grant: 'grant {permission}',
  grant_read: 'grant the account the right to read them, where people have them',
  use_visible_app: 'use the secret of an app whose range holds the person',
  withheld_by_wecom:
    'apps made since June 2022 do not get it; each person may grant it by signing in, or keep it elsewhere',
  ids_only:
    'This secret may only ask for ids. For names, use the secret of an app that may read the contacts, and add this server’s address to its trusted addresses.',
  busy: '{platform} is busy; try again later.',
  dingtalk_blocked:
    'DingTalk blocks this server’s address for five minutes, for too many calls; try again after that. If it lasts, a proxy on the way may have answered with a web page of its own.',
  tell_unknown_person: 'Tell {platform}: it does not know a person that it named itself.',
  dingtalk_token_refused:
    'DingTalk does not take its own token; check the app key and that EXT…_URL and EXT…_API_URL belong together.',
  dingtalk_scope: 'Widen the range of departments that the app may see (contacts permission scope) to all employees.',
  department_vanished: 'A department vanished while the organisation was read; the next run will see it as it is then.',
  dingtalk_permissions:
    'Grant the app qyapi_get_department_list, qyapi_get_department_member and qyapi_get_member, and all employees as its range.',
  dingtalk_addresses: 'Add this server’s address to the app’s list of allowed addresses.',
  dingtalk_limits: 'DingTalk limits calls from everywhere at the moment; try again later.',
  app_calls_too_often:
    'The app calls {platform} more often than it may; see what else uses this app, or try again later.',
  organisation_calls_too_often:
    'The organisation calls {platform} more often than it may; see what else calls it, or try again later.',
  calls_used_up: 'The organisation’s calls of this month are used up; buy more, or wait for the next month.',
  dingtalk_sign_in: 'Check the app key and the app secret, and that the app is published.',
  feishu_sign_in: 'Check the app id and the app secret.',
  feishu_page_size: 'Feishu does not take a page size it documents; tell Feishu.',
  feishu_page_token: 'Feishu does not take its own page token, maybe because reading took too long; try again.',
  token_lost: 'Check the address of {platform}: the access token did not arrive there.',
  feishu_token_refused:
    'Feishu does not take its own access token; check that the address is the one of this app’s edition.',
  feishu_permissions:
    'Grant the app contact:contact:readonly_as_app (or contact:contact.base:readonly and contact:department.base:readonly) and publish a version of it.',
  wecom_secret: 'Check the secret, and that it belongs to this organisation.',
  wecom_corp: 'Check the corp id.',
  wecom_token_refused: 'WeCom does not take its own access token; check the address of WeCom.',
  wecom_hour: 'The organisation calls WeCom more often than it may; try again in an hour.',
  wecom_crowded: 'Too much calls WeCom at the same time for this organisation; try again later.',
  wecom_contacts: 'Use the secret of an app that may read the contacts; this one may not.',
  wecom_addresses: 'Add this server’s address to the app’s list of trusted addresses (the message names the address).',
  password_clear: 'The password went there in clear: use ldaps:// in EXTLDAP_URL, or set EXTLDAP_STARTTLS=on.',
  check_base: 'Check EXTLDAP_BASE_DN, and that the account may read it.',
  check_departments: 'Check EXTLDAP_BASE_DN, EXTLDAP_PRESET and EXTLDAP_GROUP_FILTER.',
  check_people: 'Check EXTLDAP_BASE_DN, EXTLDAP_PRESET and EXTLDAP_USER_FILTER.',
  one_server: 'Set EXTLDAP_BASE_DN to a part of the tree that one server holds alone, or see what is wrong there.',
  leave_own_place:
    'Set EXTLDAP_BASE_DN to a part of the tree that the service does not write to; groups made in the service are taken for departments otherwise.',
  maybe_own_place: 'If it is where a service such as this writes to, set EXTLDAP_BASE_DN to another part of the tree.',
  grant_guid:
    'Grant the account the right to read objectGUID; where this is no Active Directory, set another EXTLDAP_PRESET.',
  grant_uuid:
    'Grant the account the right to read entryUUID (RFC 4530); for Active Directory set EXTLDAP_PRESET=ad. A server without either cannot be a source.',
  nothing_changed: 'Nothing was changed; the next run reads everything anew.',
  set_dn: 'Set {setting} to a distinguished name such as dc=example,dc=org.',
  set_filter: 'Set {setting} to a search filter such as (&(objectClass=person)(mail=*)).',
  raise_limits:
    'Let this account read everything (OpenLDAP: olcLimits with size=unlimited; Active Directory: MaxResultSetSize), or narrow EXTLDAP_BASE_DN or the filters.',
  raise_time: 'Raise the time limit of this account, or index the attributes of the filters.',
  encrypt: 'Use ldaps:// in EXTLDAP_URL, or set EXTLDAP_STARTTLS=on.',
  ask_holder: 'Set EXTLDAP_URL to the server that holds EXTLDAP_BASE_DN itself.',
  enable_paging: 'The server cannot answer page by page (RFC 2696): enable that there.',
  check_base_or_rights: 'Check EXTLDAP_BASE_DN, and that the account may read it: servers deny what they may not show.',
  check_dns: 'Check EXTLDAP_BASE_DN and EXTLDAP_BIND_DN.',
  check_account: 'Check EXTLDAP_BIND_DN and EXTLDAP_BIND_PASSWORD.',
  grant_reading: 'Grant the account the right to read everything below EXTLDAP_BASE_DN.',
  server_busy: 'The server is busy. Nothing was changed; the next run reads everything anew.',
  server_not_ready: 'The server is not ready. Nothing was changed; the next run reads everything anew.',
  see_server_log: 'See the server’s own log for what it says. Nothing was changed; the next run reads everything anew.',
  trust_certificate:
    'Set EXTLDAP_CA_FILE to the authority that signed the server’s certificate, and EXTLDAP_URL to the name in it.',
  raise_timeout:
    'Raise EXTLDAP_TIMEOUT, or see why the server is slow. Nothing was changed; the next run reads everything anew.',
  check_reachable:
    'Check EXTLDAP_URL, and that the server runs and can be reached from here. Nothing was changed; the next run reads everything anew.',
})
