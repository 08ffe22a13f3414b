// Generated from openapi/*.yaml by scripts/console-codegen.ts. Do not edit.

/** The codes of all statements, each with the names of its values. */
export interface StatementValues {
  'devices.signed_off': never
  'devices.silent': 'seconds'
  'diet.nothing_planned': 'date' | 'calories'
  'diet.less_calories': 'calories' | 'apart' | 'share' | 'target'
  'diet.more_calories': 'calories' | 'apart' | 'share' | 'target'
  'diet.protein_share': 'share' | 'grams' | 'min' | 'max' | 'least' | 'most'
  'diet.carbs_share': 'share' | 'grams' | 'min' | 'max' | 'least' | 'most'
  'diet.fat_share': 'share' | 'grams' | 'min' | 'max' | 'least' | 'most'
  'diet.with_change': 'finding' | 'change'
  'diet.helps_most': 'change'
  'diet.add_recipe': 'id' | 'name' | 'calories' | 'total' | 'protein' | 'carbs' | 'fat'
  'diet.swap_recipe': 'meal' | 'time' | 'id' | 'name' | 'calories' | 'total' | 'protein' | 'carbs' | 'fat'
  'diet.nothing_known': 'names'
  'diet.calories_left': 'calories' | 'left'
  'diet.wished': 'wish'
  'diet.without': 'name'
  'diet.breakfast': never
  'diet.lunch': never
  'diet.dinner': never
  'diet.snack': never
  'jobs.internal': never
  'ldap.said': 'words'
  'ldap.and_also': 'first' | 'then'
  'ldap.refused': 'what' | 'outcome'
  'ldap.refused_by_storage': 'what' | 'outcome'
  'ldap.write': 'kind' | 'dn'
  'ldap.write_attributes': 'kind' | 'dn' | 'attributes'
  'ldap.read': 'dn'
  'ldap.read_root': never
  'ldap.search': 'dn'
  'ldap.begin_transaction': never
  'ldap.commit_transaction': never
  'ldap.first_in_transaction': 'attribute' | 'what'
  'ldap.not_a_dn': 'problem'
  'ldap.request_too_large': 'bytes'
  'ldap.closed': never
  'ldap.other_server': 'problem'
  'ldap.ended': 'outcome'
  'ldap.answer_too_large': 'bytes'
  'ldap.not_ldap': 'problem'
  'ldap.connection_lost': 'problem'
  'ldap.closed_connection': never
  'ldap.no_answer': 'milliseconds'
  'ldap.no_connection': 'server' | 'problem'
  'ldap.credentials_refused': 'settings' | 'outcome'
  'ldap.sign_in_refused': 'outcome'
  'ldap.no_changes': 'problem'
  'mirror.busy': never
  'mirror.refused': 'problem'
  'mirror.orphan': never
  'mirror.follows': never
  'mirror.follows_later': never
  'mirror.let_read_all': never
  'mirror.few_at_a_time': never
  'mirror.change_or_repair': never
  'mirror.retried': never
  'mirror.no_directory': never
  'mirror.set_directory': never
  'mirror.layout_missing': 'dn'
  'mirror.layout_follows': never
  'mirror.password_taken_over': never
  'mirror.add_or_delete': never
  'mirror.on_its_way': never
  'mirror.not_answered_yet': never
  'mirror.nowhere': never
  'mirror.internal_error': never
  'mirror.lease_lost': never
  'mirror.written_elsewhere': never
  'mirror.group_written_elsewhere': never
  'mirror.and_also': 'first' | 'then'
  'mirror.name_held': never
  'mirror.below_itself': never
  'mirror.being_moved': never
  'mirror.not_kept': never
  'mirror.interrupted': never
  'mirror.parent_missing': never
  'mirror.moved_away': never
  'mirror.group_above_moved': never
  'mirror.entries_below': 'problem'
  'mirror.place_taken': 'dn'
  'mirror.place_hidden': 'dn'
  'mirror.added_and_gone': 'dn'
  'mirror.gone': 'dn'
  'mirror.base_missing': 'dn'
  'mirror.attributes_stay': 'attributes' | 'problem'
  'mirror.too_much_to_keep': 'limit' | 'attributes'
  'mirror.not_put_back': 'attributes' | 'problem'
  'mirror.schema_lacks': 'attributes'
  'mirror.no_posix_number': never
  'mirror.no_posix_name': never
  'mirror.late_group': 'name'
  'mirror.late_members': 'name'
  'mirror.late_deleted': 'name'
  'mirror.late_disabled': 'name'
  'mirror.late_password': 'name'
  'mirror.late_outside': 'name' | 'directory'
  'mirror.removal_held': never
  'mirror.removals_allowed': 'directory' | 'count'
  'mirror.may_not_add': 'dn'
  'mirror.password_absent': 'reason'
  'mirror.password_unhashed': 'scheme'
  'mirror.several_passwords': 'count'
  'mirror.clear_password': never
  'mirror.weak_password': never
  'mirror.unknown_hash': 'scheme'
  'mirror.no_service_accounts': never
  'mirror.service_password_unhashed': 'scheme'
  'mirror.password_waits': never
  'mirror.password_expired': never
  'mirror.password_refused': 'problem'
  'mirror.password_taken_away': never
  'mirror.password_not_taken_away': never
  'mirror.password_refused_before': never
  'mirror.not_asked_yet': never
  'mirror.scheme_unknown': 'scheme'
  'mirror.scheme_unverified': 'scheme' | 'module' | 'setting' | 'other'
  'mirror.accepts_wrong_password': never
  'mirror.check_refused': 'problem'
  'mirror.account_below': 'dn'
  'mirror.no_place': 'dn' | 'reason'
  'mirror.not_ours': 'dn'
  'mirror.not_ours_beside': 'dn' | 'own'
  'mirror.not_ours_unfit': 'dn' | 'reason'
  'mirror.foreign_classes': 'classes'
  'mirror.class_missing': 'class'
  'mirror.own_account': never
  'mirror.system_entry': never
  'mirror.own_layout': never
  'mirror.outside': never
  'mirror.own_account_below': never
  'mirror.unclaimed': never
  'mirror.own_entry': 'dn'
  'mirror.account_name_held': 'name' | 'problem'
  'mirror.layout_unit': never
  'mirror.layout_occupied': 'dn'
  'mirror.layout_held_many': 'count'
  'mirror.layout_held_renamed': 'count'
  'mirror.layout_held_occupied': 'count'
  'mirror.layout_held_waiting': 'count'
  'mirror.layout_slow': never
  'people.class_without_attribute': never
  'people.attribute_missing': never
  'people.class_missing': never
  'people.server_writes': never
  'people.one_value': never
  'people.other_syntax': 'syntax' | 'type'
  'people.needs_class': 'classes'
  'people.not_auxiliary': never
  'people.not_allowed': never
  'people.requires_others': 'attributes'
  'sources.token_issued': 'platform'
  'sources.whole_in_range': never
  'sources.in_range': 'departments' | 'people'
  'sources.root_visible': 'departments'
  'sources.root_visible_at_first': 'departments'
  'sources.root_hidden': 'departments'
  'sources.departments_with_root': 'departments'
  'sources.departments_without_root': 'departments'
  'sources.ids_alone': 'found'
  'sources.sample_read': 'people'
  'sources.signed_in': 'host' | 'account'
  'sources.base_readable': 'dn' | 'identity'
  'sources.own_place': 'baseDn'
  'sources.like_own_place': never
  'sources.other_place': never
  'sources.ldap_departments': 'departments' | 'top' | 'filter'
  'sources.ldap_people': 'people' | 'filter' | 'sample'
  'sources.no_department_visible': 'platform'
  'sources.endless': 'limit'
  'sources.endless_pages': 'limit'
  'sources.endless_places': 'limit'
  'sources.pages_repeat': 'platform' | 'what'
  'sources.no_usable_answer': 'platform' | 'what' | 'problem'
  'sources.refused': 'platform' | 'what' | 'code' | 'words'
  'sources.after_one_try': 'problem'
  'sources.after_tries': 'problem' | 'count'
  'sources.malformed': 'platform' | 'what' | 'lacks'
  'sources.connection_closed': 'platform'
  'sources.closed': never
  'sources.step_late': 'seconds'
  'sources.people_hidden': 'code'
  'sources.base_missing': 'dn'
  'sources.identity_missing': 'dn' | 'identity'
  'sources.members_changed': 'dn'
  'sources.setting_wrong': 'setting' | 'problem'
  'sources.directory_said': 'problem'
  'sources.platform_said': 'words'
  'sources.no_json': 'shape'
  'sources.too_many_calls': never
  'sources.no_answer_in_time': 'seconds'
  'sources.answer_too_large': 'bytes'
  'sources.answer_too_full': 'values'
  'sources.connection_failed': never
  'sources.connection_failed_by': 'code'
  'sources.the_token': never
  'sources.the_range': never
  'sources.the_department': 'department'
  'sources.the_departments_below': 'department'
  'sources.the_departments': never
  'sources.the_people': 'department'
  'sources.the_ids': never
  'sources.lacks_token': never
  'sources.lacks_department': never
  'sources.lacks_departments': never
  'sources.lacks_people': never
  'sources.lacks_items': 'field'
  'sources.lacks_next_page': never
  'sources.part_in_range': 'departments' | 'advice'
  'sources.people_one_by_one': 'people' | 'advice'
  'sources.parts_visible': 'advice'
  'sources.department_hidden': 'departments' | 'code' | 'advice'
  'sources.without_id': 'what'
  'sources.more_without_id': 'count'
  'sources.departments_hidden': 'departments' | 'code' | 'advice'
  'sources.disabled_unknown': never
  'sources.on_other_servers': 'urls'
  'sources.dns_unreadable': 'entries'
  'sources.nested_groups': 'groups'
  'sources.resolve_nested': never
  'sources.some_more': 'names' | 'count'
  'sources.gaps_found': 'gap' | 'others'
  'sources.widen_dingtalk': never
  'sources.widen_feishu': never
  'sources.widen_wecom': never
  'sources.let_app_see': 'advice'
  'sources.all_employees': never
  'sources.all_members': never
  'sources.whole_organisation': never
  'sources.narrow_or_tell': never
  'sources.tell_if_lasting': 'platform'
  'sources.check_address': 'platform'
  'sources.check_address_or_platform': 'platform'
  'sources.platform_slow': never
  'sources.check_wecom_permissions': never
  'sources.none_directly': never
  'sources.show_fields': 'fields' | 'how'
  'sources.and_also': 'advice' | 'others'
  'sources.grant': 'permission'
  'sources.grant_read': never
  'sources.use_visible_app': never
  'sources.withheld_by_wecom': never
  'sources.ids_only': never
  'sources.busy': 'platform'
  'sources.dingtalk_blocked': never
  'sources.tell_unknown_person': 'platform'
  'sources.dingtalk_token_refused': never
  'sources.dingtalk_scope': never
  'sources.department_vanished': never
  'sources.dingtalk_permissions': never
  'sources.dingtalk_addresses': never
  'sources.dingtalk_limits': never
  'sources.app_calls_too_often': 'platform'
  'sources.organisation_calls_too_often': 'platform'
  'sources.calls_used_up': never
  'sources.dingtalk_sign_in': never
  'sources.feishu_sign_in': never
  'sources.feishu_page_size': never
  'sources.feishu_page_token': never
  'sources.token_lost': 'platform'
  'sources.feishu_token_refused': never
  'sources.feishu_permissions': never
  'sources.wecom_secret': never
  'sources.wecom_corp': never
  'sources.wecom_token_refused': never
  'sources.wecom_hour': never
  'sources.wecom_crowded': never
  'sources.wecom_contacts': never
  'sources.wecom_addresses': never
  'sources.password_clear': never
  'sources.check_base': never
  'sources.check_departments': never
  'sources.check_people': never
  'sources.one_server': never
  'sources.leave_own_place': never
  'sources.maybe_own_place': never
  'sources.grant_guid': never
  'sources.grant_uuid': never
  'sources.nothing_changed': never
  'sources.set_dn': 'setting'
  'sources.set_filter': 'setting'
  'sources.raise_limits': never
  'sources.raise_time': never
  'sources.encrypt': never
  'sources.ask_holder': never
  'sources.enable_paging': never
  'sources.check_base_or_rights': never
  'sources.check_dns': never
  'sources.check_account': never
  'sources.grant_reading': never
  'sources.server_busy': never
  'sources.server_not_ready': never
  'sources.see_server_log': never
  'sources.trust_certificate': never
  'sources.raise_timeout': never
  'sources.check_reachable': never
  'sync.no_people': never
  'sync.no_departments': never
  'sync.incomplete': 'gap'
  'sync.incomplete_otherwise': 'gap'
  'sync.too_many_people': 'count' | 'all' | 'limit'
  'sync.too_many_departments': 'count' | 'all' | 'limit'
  'sync.changes_held': 'reason' | 'count'
  'sync.higher_rank': never
  'sync.administrators': never
  'sync.mail_signs_in': never
  'sync.last_administrator': never
  'sync.entangled': never
  'sync.stale': never
  'sync.value_taken': 'field'
  'sync.database_refused': 'code'
  'sync.directory_refused': 'error'
  'sync.group_name_taken': never
  'sync.groups_below': never
  'sync.below_itself': never
  'sync.no_group_above': never
  'sync.field_unusable': 'field' | 'problem'
  'sync.not_in_record': never
  'sync.a_list': never
  'sync.an_object': never
  'sync.a_list_of_lists': never
  'sync.not_valid': never
  'sync.no_place': never
  'sync.gone_but_stays': 'groups' | 'people'
  'sync.unknown_department': 'id' | 'people'
  'sync.departments_missing': never
  'sync.belongs_to': 'field' | 'holder'
  'sync.number_taken': 'number'
  'sync.number_kept': 'number' | 'present'
  'sync.not_posix_number': never
  'sync.belongs_to_other': 'field'
  'sync.expected': 'what'
  'sync.expected_before_end': 'what'
  'sync.unexpected': 'character'
  'sync.goes_on': 'limit'
  'sync.operand': never
  'sync.field': never
  'sync.number_or_field': never
  'sync.digits': 'limit'
  'sync.sign': 'sign'
  'sync.sign_or': 'sign' | 'other'
  'sync.comma': never
  'sync.end': never
  'sync.one_of': 'names'
  'sync.functions': 'limit'
  'sync.quoted': never
  'sync.filled': never
  'sync.closing_quote': never
  'sync.with_advice': 'problem' | 'advice'
  'sync.stopped': never
  'sync.broken_off': never
  'sync.directory_said': 'problem'
  'sync.database_away': never
  'sync.internal': never
  'sync.see_report': never
  'sync.groups': never
  'sync.users': never
  'sync.unknown_cause': never
  'sync.directory_silent': 'records'
  'sync.directory_behind': 'records'
  'sync.not_yet_there': 'error'
  'sync.start_again': never
  'sync.start_again_later': never
  'sync.correct_or_map': never
  'sync.correct': never
  'sync.correct_or_clear': 'holder'
  'sync.ids_unusable': 'records' | 'longest'
  'sync.correct_ids': never
  'sync.correct_place': never
  'sync.remove_others': never
  'sync.import_departments': never
  'sync.confirm_or_correct': never
  'sync.next_run': never
  'sync.follows': never
  'sync.tried_again': never
}

export type StatementCode = keyof StatementValues
