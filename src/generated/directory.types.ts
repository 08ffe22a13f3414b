// Generated from openapi/directory.yaml by scripts/codegen.ts. Do not edit.
export interface paths {
    "/base/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in
         * @description Returns an access token for the `Authorization` header. An unknown user and a wrong password give the same response.
         *     Repeated failures of one account or address are delayed, then locked for 15 minutes (429).
         *
         *     401 with `data: {required, methods}` means that the password is right and that more is required. Repeat the
         *     request with the additional field: for `new_password` it is `newPassword`, because the password was set by an
         *     administrator; for `second_factor` it is `code`, a code of one of the `methods`. A `mail` code is requested
         *     with `POST /v1/operations/console/session/code`. If `SECOND_FACTOR` requires an authenticator app that the
         *     user has not enrolled yet, the token can only be used to enrol an app; every other operation is 403
         *     (`auth.enrolment_required`).
         */
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/base/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign out
         * @description Ends the session of the token in the `Authorization` header, if there is one.
         */
        post: operations["logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/base/refreshToken": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange an old token for a new one
         * @description The old token may be expired, if its session was used within the last 7 days. After the exchange the old token
         *     is no longer valid. If the same client exchanges it again within 10 seconds, it gets a token that is as good as
         *     the new one. If it is exchanged later or by another client, its session ends.
         *
         *     Send the old token in the `Authorization` header. OpenAPI tells tools to ignore a parameter with this name, so
         *     a generated client may have no argument for it: set the header in the same way as for an operation that
         *     requires a token. No permission is required.
         */
        post: operations["refreshToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/base/ping": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the service responds
         * @description Returns `pong` as long as the process runs, and checks nothing else. The request is not written to the operation log.
         */
        get: operations["ping"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/base/dashboard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the records of each kind
         * @description The numbers of users, groups, roles, menus, API entries and log entries, each with the page of the console
         *     that shows them. The numbers can be up to a second old.
         */
        get: operations["dashboard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/base/encryptpwd": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Encrypt a password for transport
         * @description The encrypted text is valid for 10 minutes, in every field that takes a password. It is never stored. An
         *     installation can switch this operation off (403).
         */
        get: operations["encryptPassword"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/base/decryptpwd": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Decrypt a password that was encrypted for transport
         * @description Decrypts only texts that `/base/encryptpwd` returned within the last 10 minutes. Stored passwords are hashes
         *     and cannot be decrypted. An installation can switch this operation off (403).
         */
        get: operations["decryptPassword"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/base/sendcode": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mail a code for a forgotten password
         * @description Sends a code of 6 digits. It is valid for 10 minutes and 5 attempts, and can be used once. It becomes invalid
         *     earlier when the user gets another mail address or password, or is disabled. The response is the same whether
         *     or not the address belongs to a user.
         */
        post: operations["sendCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/base/changePwd": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change a password with a mailed code
         * @description Without `newPassword` a random password is set and mailed. All sessions of the user end.
         */
        post: operations["changePasswordByCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/add": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a user
         * @description The roles have to be of lower rank than the caller's highest role, and may not grant an operation, or
         *     the sight or change of an attribute, that the caller's own roles do not grant (403). A caller with a role of `sort` 1 is exempt. To grant a role with `sort` 1, a caller
         *     who has a second factor needs a step-up (401).
         */
        post: operations["addUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change a user
         * @description The password and the status are changed by other operations. `departmentId` and `roleIds` are the complete new
         *     lists.
         *
         *     The response is 403
         *
         *     - for users of equal or higher rank, unless the caller's `sort` is 1,
         *     - for roles that the caller could not grant,
         *     - for a new mail address of a user whose roles grant what those of the caller do not, because codes are mailed
         *       there,
         *     - if no enabled administrator would remain.
         *
         *     These changes need a step-up, if the caller has a second factor (an app, or the mail address before the
         *     change): to grant a role with `sort` 1, and to change a mail address. After a change of the address,
         *     codes that were mailed to the earlier address are no longer valid, and a mail to the earlier address reports the
         *     change. Only a caller with a role of `sort` 1 may change the `source` of a user who was
         *     imported from that source (403).
         */
        post: operations["updateUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete users
         * @description Their sessions end and their directory entries are removed. All of them are deleted, or none: 403 for the
         *     caller's own user, for users of equal or higher rank (unless the caller's `sort` is 1), and if no enabled
         *     administrator would remain.
         */
        post: operations["deleteUsers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users
         * @description Filters are combined with "and". Without `pageNum` and `pageSize` all records are returned.
         */
        get: operations["listUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the signed-in user
         * @description The record of the caller, with their groups and roles.
         */
        get: operations["getUserInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/changePwd": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change your own password
         * @description All sessions of the caller end, including the session of this request.
         */
        post: operations["changeOwnPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/changeUserStatus": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enable or disable a user
         * @description Disabling ends the user's sessions and moves their directory entry to `ou=disabled`, without password and
         *     memberships. Enabling restores the entry completely. 403 for disabling the caller's own user, for users of
         *     equal or higher rank (unless the caller's `sort` is 1), and if no enabled administrator would remain. To
         *     enable a user with a role of `sort` 1, a caller who has a second factor needs a step-up (401).
         */
        post: operations["changeUserStatus"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/syncSqlUsers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make the directory entries of users equal to their records
         * @description A run, see *Synchronisation*. Compares each of these users with their directory entry and repairs the differences.
         */
        post: operations["syncSqlUsers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/syncExtAUsers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import users from ExtA
         * @description A run, see *Synchronisation*. 503 for a source that is not configured.
         */
        post: operations["syncExtAUsers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/syncExtBUsers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import users from ExtB
         * @description A run, see *Synchronisation*. 503 for a source that is not configured.
         */
        post: operations["syncExtBUsers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/syncExtCUsers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import users from ExtC
         * @description A run, see *Synchronisation*. 503 for a source that is not configured.
         */
        post: operations["syncExtCUsers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/syncExtLdapUsers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import users from ExtLdap
         * @description A run, see *Synchronisation*. 503 for a source that is not configured.
         */
        post: operations["syncExtLdapUsers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/group/add": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a group
         * @description Groups can be nested 32 levels deep at most. 409 for a name that another group below the same parent has, or
         *     that the directory reserves (at the top: `people` and `disabled` of type `ou`, `nobody` of type `cn`).
         */
        post: operations["addGroup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/group/update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change a group
         * @description A new name also changes, in the directory, the DNs of all entries below the group and the references to them.
         *     It counts as a change of all users in the group or below it: 403 if one of them is of equal or higher rank
         *     than the caller.
         */
        post: operations["updateGroup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/group/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete groups
         * @description All of them are deleted, or none. 409 if a group has groups below it that are not deleted with it. 403 if a
         *     user in one of them is of equal or higher rank than the caller.
         */
        post: operations["deleteGroups"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/group/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List groups
         * @description Filters are combined with "and". Without `pageNum` and `pageSize` all records are returned.
         */
        get: operations["listGroups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/group/tree": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the group tree
         * @description All groups as a tree, the oldest first.
         */
        get: operations["getGroupTree"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/group/adduser": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add users to a group
         * @description Users who are already members stay members. 403 for users of equal or higher rank, unless the caller's `sort`
         *     is 1: applications may grant rights by the groups of a user.
         */
        post: operations["addGroupUsers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/group/removeuser": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove users from a group
         * @description 403 for users of equal or higher rank, unless the caller's `sort` is 1.
         */
        post: operations["removeGroupUsers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/group/useringroup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the users in a group
         * @description The members of the group itself; the members of groups below it are not included. `search` finds a part of the
         *     username, the nickname or the mail address. Without paging, all users are sent while they are read, and
         *     `total` is the number of users sent.
         */
        get: operations["listUsersInGroup"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/group/usernoingroup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the users who are not in a group
         * @description All users who are not members of the group itself, to choose new members from. `search` finds a part of the
         *     username, the nickname or the mail address. Without paging, all users are sent while they are read, and
         *     `total` is the number of users sent.
         */
        get: operations["listUsersNotInGroup"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/group/syncSqlGroups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make the directory entries of groups equal to their records
         * @description A run, see *Synchronisation*. Compares the groups of `groupIds`, or all groups, with their directory entries
         *     and repairs the differences. When all groups are compared, orphan entries are reported; they are never
         *     deleted.
         */
        post: operations["syncSqlGroups"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/group/syncExtADepts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import departments from ExtA
         * @description A run, see *Synchronisation*. 503 for a source that is not configured.
         */
        post: operations["syncExtADepts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/group/syncExtBDepts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import departments from ExtB
         * @description A run, see *Synchronisation*. 503 for a source that is not configured.
         */
        post: operations["syncExtBDepts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/group/syncExtCDepts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import departments from ExtC
         * @description A run, see *Synchronisation*. 503 for a source that is not configured.
         */
        post: operations["syncExtCDepts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/group/syncExtLdapDepts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import departments from ExtLdap
         * @description A run, see *Synchronisation*. 503 for a source that is not configured.
         */
        post: operations["syncExtLdapDepts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/role/add": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a role
         * @description The role has to be of lower rank than the caller, unless the caller's `sort` is 1 (403). To add a role with
         *     `sort` 1, a caller who has a second factor needs a step-up (401).
         */
        post: operations["addRole"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/role/update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change a role
         * @description Before and after the change the role has to be of lower rank than the caller, unless the caller's `sort` is 1.
         *     To enable a role, the caller has to hold the operations and attributes that it grants (403). `sort`, `status` and `keyword`
         *     cannot change if another user of equal or higher rank than the caller has the role (403). The keywords
         *     `admin`, `user` and `guest` are reserved for the roles that the first start creates (403). The role with the
         *     keyword `admin` keeps its keyword, `sort` and `status`, and the last enabled user with a role of `sort` 1
         *     cannot lose this rank (403). To give a role `sort` 1, or to enable a role that has it, a caller who has a
         *     second factor needs a step-up (401). The change takes effect from the next request on.
         */
        post: operations["updateRole"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/role/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete roles
         * @description The roles have to be of lower rank than the caller, unless the caller's `sort` is 1 (403). 409 for a role that users still have, or that an attribute names among those that see or change it.
         */
        post: operations["deleteRoles"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/role/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List roles
         * @description Filters are combined with "and". Without `pageNum` and `pageSize` all records are returned.
         */
        get: operations["listRoles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/role/getapilist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the API entries of a role
         * @description The role with the keyword `admin` grants all API entries.
         */
        get: operations["getRoleApis"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/role/getmenulist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the menus of a role
         * @description The menus are sorted by `sort`. The role with the keyword `admin` shows all menus.
         */
        get: operations["getRoleMenus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/role/updateapis": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set the API entries of a role
         * @description The list replaces the earlier list of the role. The role has to be of lower rank than the caller, and the
         *     caller has to hold what they add (403), unless the caller's `sort` is 1. The role with the keyword `admin`
         *     cannot be changed (403): it always grants everything.
         */
        post: operations["updateRoleApis"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/role/updatemenus": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set the menus of a role
         * @description The list replaces the earlier list of the role. The role has to be of lower rank than the caller, and the
         *     caller has to hold what they add (403), unless the caller's `sort` is 1. The role with the keyword `admin`
         *     cannot be changed (403): it always grants everything.
         */
        post: operations["updateRoleMenus"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/menu/add": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a menu
         * @description Menus can be nested 32 levels deep at most (400). 409 for a name that another menu has.
         */
        post: operations["addMenu"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/menu/update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change a menu
         * @description A menu cannot be moved below itself or below a menu that is below it, and menus can be nested 32 levels deep at most (400).
         */
        post: operations["updateMenu"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/menu/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete menus
         * @description 409 if a menu has menus below it that are not deleted with it.
         */
        post: operations["deleteMenus"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/menu/tree": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the menu tree
         * @description All menus, including disabled menus, sorted by `sort`.
         */
        get: operations["getMenuTree"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/menu/access/tree": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the menus that a user's roles grant
         * @description The enabled menus of the enabled roles, with the menus above them, sorted by `sort`. Menus below a disabled
         *     menu are not shown. Callers with a role of `sort` 1 may read the menus of every user, other callers their own
         *     and those of users of lower rank (403).
         */
        get: operations["getAccessMenuTree"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/add": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add an API entry
         * @description The method is stored in upper case.
         */
        post: operations["addApi"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change an API entry
         * @description The method and the path of the service's own operations cannot be changed (409). A category or remark that was
         *     changed is kept when the service starts again.
         */
        post: operations["updateApi"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete API entries
         * @description The roles that grant the entries lose them at once. The entries of the service's own operations cannot be deleted (409).
         */
        post: operations["deleteApis"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API entries
         * @description Filters are combined with "and". Without `pageNum` and `pageSize` all records are returned.
         */
        get: operations["listApis"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tree": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the API entries by category
         * @description Sorted alphabetically. The `remark` of a category is its name.
         */
        get: operations["getApiTree"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/fieldrelation/add": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a field relation
         * @description Needs a role with `sort` 1 (403) and a step-up (401 with `data: {required, methods, maxAge}`), because a field
         *     relation decides the identity of people, including their mail addresses. It defines how the fields of people
         *     or groups get their values from the records of a source. The first start creates a field relation for each
         *     source and kind. A source whose field relation was deleted imports nothing until a new one is added.
         */
        post: operations["addFieldRelation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/fieldrelation/update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change a field relation
         * @description Needs a role with `sort` 1 (403) and a step-up (401). The attributes replace the current attributes. They take
         *     effect from the next run on.
         */
        post: operations["updateFieldRelation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/fieldrelation/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete field relations
         * @description Needs a role with `sort` 1 (403) and a step-up (401). A source whose field relation was deleted imports nothing until a new one is added.
         */
        post: operations["deleteFieldRelations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/fieldrelation/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List field relations
         * @description All field relations; at most one for each source and kind.
         */
        get: operations["listFieldRelations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/log/operation/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List log entries
         * @description Filters are combined with "and". Deleted entries are not shown. Without `pageNum` and `pageSize` all entries are returned.
         */
        get: operations["listOperationLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/log/operation/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete log entries
         * @description The entries disappear from the list. A seal in the log says who deleted which entries.
         */
        post: operations["deleteOperationLogs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/log/operation/clean": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete all log entries
         * @description All entries disappear from the list. A seal in the log says who deleted them, and how many.
         */
        delete: operations["cleanOperationLogs"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** Format: int64 */
        Id: number;
        /**
         * Format: int64
         * @description The parent's id, or 0 for no parent
         */
        ParentId: number;
        Ids: components["schemas"]["Id"][];
        /**
         * @description 1 enabled, 2 disabled
         * @enum {integer}
         */
        Status: 1 | 2;
        /**
         * @description 1 yes, 2 no
         * @enum {integer}
         */
        Switch: 1 | 2;
        Sort: number;
        /**
         * @description 1 if the directory holds exactly this record, 2 while a change is not in the directory yet
         * @enum {integer}
         */
        SyncState: 1 | 2;
        /** @description Why the directory does not hold this record yet; empty if no error occurred */
        SyncError: string;
        /** @description `syncError` in a form that can be translated, as the statement of a report; null if it is empty */
        SyncStated: {
            /** @description Stable: a statement that docs/reasons.md lists */
            code: string;
            /** @description The values in the text by their names: a text each, or again a statement */
            params: {
                [key: string]: unknown;
            };
            /** @description In English */
            text: string;
        } | null;
        /** @description The username of the user who added the record */
        Creator: string;
        /**
         * Format: date-time
         * @description RFC 3339, UTC, with milliseconds
         */
        Timestamp: string;
        TextFilter: string;
        /** @description Plain, or encrypted by `/base/encryptpwd` */
        Password: string;
        /**
         * @description Plain, or encrypted by `/base/encryptpwd`. The password has 8 to 128 characters (the encrypted text is
         *     longer), is not one of the most common passwords, and is not a known name (the username, the name of the
         *     organisation) with a few more characters.
         */
        NewPassword: string;
        /** @description Like a new password; empty for a user without a password */
        FirstPassword: string;
        /**
         * @description Letters, digits, spaces and `' ( ) + , - . / : = ?`, stored as written. Unique: valid numbers are compared as
         *     E.164 numbers (with the setting `DEFAULT_REGION`), other values by their digits.
         */
        Mobile: string;
        /** @description The URL of a picture */
        Avatar: string;
        /**
         * @description A field in Steward → an expression over the record of the source.
         *
         *     For people: `username` (required), `nickname`, `givenName`, `mail`, `mobile`, `jobNumber`, `avatar`,
         *     `introduction`, `position`, `postalAddress`, `departments`. For groups: `groupName` (required), `remark`. For both:
         *     `posixNumber`, the number of a POSIX account or group, which a record that has one keeps. Any
         *     other field, or a text that is not an expression, is 400. Only the source decides what identifies a record:
         *     `sourceUserId`, `sourceUnionId`, `sourceDeptId` and `sourceDeptParentId` are stored and have no effect, and
         *     `msg` says so.
         *
         *     | Expression | Value |
         *     |---|---|
         *     | `name`, `avatar.avatar_240`, `extattr.attrs[0].value`, `extension["cost center"]` | The value of this field of the record. `[0]` also accepts a value that is not a list |
         *     | `"text"`, `'text'` | The text; `\"`, `\'`, `\\`, `\n` and `\t` have their usual meaning |
         *     | `a ?? b` | `a`; `b` if `a` is absent or empty |
         *     | `lower(a)`, `trim(a)` | In lower case; without spaces around it |
         *     | `before(a, "@")` | The part before the first `@`; the whole text if it has no `@` |
         *     | `pinyin(a)` | A Chinese name in Latin letters: 张三 becomes `zhangsan`. Other characters are kept |
         *     | `join(a, ",")` | The values of a list with a comma between them; empty values are left out |
         *
         *     Numbers and booleans become text. A field that is absent from the record of the source keeps its value in
         *     Steward; a field that is empty there becomes empty. Spaces around a mail address or a mobile number are
         *     removed, and a text with only spaces is empty. A value that a field cannot hold (too long, a list, an object,
         *     control characters, not a mail address) is left out and reported. A record without a username or group name is
         *     reported and not imported.
         */
        Attributes: {
            [key: string]: string;
        };
        /** @enum {integer} */
        SuccessCode: 0;
        /** @description A text for people; programs must not parse it */
        Message: string;
        /**
         * @description The request failed; nothing was changed
         * @example {
         *       "code": 409,
         *       "data": [
         *         {
         *           "field": "username",
         *           "message": "is already taken",
         *           "reason": "people.username_taken",
         *           "params": {}
         *         }
         *       ],
         *       "msg": "username: is already taken",
         *       "reason": "people.username_taken",
         *       "params": {}
         *     }
         * @example {
         *       "code": 401,
         *       "data": null,
         *       "msg": "sign in first: no valid token was sent, or its session has ended",
         *       "reason": "access.not_signed_in",
         *       "params": {}
         *     }
         * @example {
         *       "code": 401,
         *       "data": {
         *         "required": "second_factor",
         *         "methods": [
         *           "mail"
         *         ],
         *         "maxAge": 300
         *       },
         *       "msg": "a second factor is required: step up, then repeat the request",
         *       "reason": "access.step_up",
         *       "params": {}
         *     }
         */
        Failure: {
            code: components["schemas"]["FailureCode"];
            /** @description The fields at fault, or null; for a missing second factor, what is required */
            data: components["schemas"]["FieldProblems"] | components["schemas"]["MissingFactor"] | null;
            msg: components["schemas"]["Message"];
            reason: components["schemas"]["FailureReason"];
            params: components["schemas"]["ReasonValues"];
        };
        /** @enum {integer} */
        FailureCode: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 429 | 500 | 502 | 503;
        /**
         * @description The second factor is missing: step up (`POST /v1/operations/step-up`), then repeat the request. Without
         *     `maxAge` it is the response to a login: repeat the login with the `code` or the `newPassword`.
         */
        MissingFactor: {
            /** @enum {string} */
            required: "second_factor" | "new_password";
            methods: components["schemas"]["StepUpMethod"][];
            /** @description For how many seconds a step-up is valid */
            maxAge?: number;
        };
        /**
         * @description A code of the authenticator app, a recovery code, or a mailed code
         * @enum {string}
         */
        StepUpMethod: "totp" | "recovery" | "mail";
        /**
         * @description Why the request failed, for programs: `<what refused it>.<why>`. The meaning of a code never changes. New
         *     codes may be added: treat an unknown code by the value of `code`. docs/reasons.md lists all codes with their
         *     texts.
         * @enum {string}
         */
        FailureReason: "service.busy" | "service.client_gone" | "service.database_away" | "service.internal" | "service.invalid" | "service.log_away" | "service.limited" | "service.stopping" | "contract.no_operation" | "contract.no_method" | "contract.path_encoding" | "contract.path_too_long" | "contract.host_missing" | "contract.expectation" | "contract.unreadable" | "contract.not_http" | "contract.timed_out" | "contract.headers_too_large" | "contract.chunk_extensions_too_large" | "contract.body_too_large" | "contract.body_length" | "contract.media_type" | "contract.not_utf8" | "contract.not_json" | "contract.prototype" | "contract.too_deep" | "contract.name_nul" | "contract.name_surrogate" | "contract.required" | "contract.given_twice" | "contract.not_text" | "contract.not_whole_number" | "contract.not_number" | "contract.not_boolean" | "contract.not_object" | "contract.not_list" | "contract.not_null" | "contract.wrong_type" | "contract.not_one_of" | "contract.empty" | "contract.too_short" | "contract.too_long" | "contract.too_few_entries" | "contract.too_many_entries" | "contract.too_few_fields" | "contract.too_many_fields" | "contract.same_entry" | "contract.too_small" | "contract.too_great" | "contract.not_above" | "contract.not_below" | "contract.format" | "contract.pattern" | "contract.rule" | "contract.console_header" | "text.control_characters" | "text.control_characters_but_lines" | "text.nothing_visible" | "text.no_name" | "text.no_text" | "text.no_mail_address" | "text.no_mobile" | "text.no_date" | "text.no_time_of_day" | "text.nul" | "text.surrogate" | "text.password_length" | "text.password_common" | "text.password_known_name" | "db.user_not_found" | "db.group_not_found" | "db.role_not_found" | "db.menu_not_found" | "db.api_not_found" | "db.field_relation_not_found" | "db.group_below_itself" | "db.menu_below_itself" | "db.groups_too_deep" | "db.menus_too_deep" | "db.group_has_groups" | "db.menu_has_menus" | "db.cursor_unusable" | "db.changed_meanwhile" | "access.not_signed_in" | "access.session_over" | "access.not_granted" | "access.roles_lost" | "access.strongest_only" | "access.step_up" | "access.step_up_without_factor" | "access.user_too_strong" | "access.group_users_too_strong" | "access.subtree_users_too_strong" | "access.role_too_strong" | "access.role_holders_too_strong" | "access.last_administrator" | "access.mail_signs_in" | "access.source_fixed" | "access.granted_role_too_strong" | "access.granted_role_beyond" | "access.role_beyond" | "access.api_not_held" | "access.menu_not_held" | "access.administrator_role_fixed" | "access.administrator_role_stays" | "access.administrator_role_grants_all" | "access.role_held" | "access.role_named" | "access.keyword_fixed" | "access.keyword_reserved" | "access.api_fixed" | "access.api_served" | "access.api_granted" | "access.role_name_taken" | "access.role_keyword_taken" | "access.menu_name_taken" | "access.api_taken" | "access.operation_not_found" | "access.link_signs_in" | "access.password_signs_in" | "audit.entry_not_found" | "auth.wrong_credentials" | "auth.token_invalid" | "auth.too_many_attempts" | "auth.wrong_password" | "auth.wrong_mail_code" | "auth.wrong_factor_code" | "auth.session_not_found" | "auth.password_tools_off" | "auth.not_encrypted" | "auth.encrypted_text_void" | "auth.app_not_found" | "auth.user_without_app" | "auth.app_enrolled" | "auth.no_app_enrolled" | "auth.no_app_to_confirm" | "auth.app_key_changed" | "auth.other_step_up_method" | "auth.no_step_up_method" | "auth.second_factor_required" | "auth.new_password_required" | "auth.same_password" | "auth.no_code_asked" | "auth.no_mailed_code" | "auth.enrolment_required" | "auth.enrolment_late" | "auth.link_void" | "auth.session_signed_out" | "auth.session_ended_password" | "auth.session_ended_disabled" | "auth.session_ended_theft" | "auth.session_ended_elsewhere" | "auth.session_ended_restore" | "auth.session_too_old" | "mirror.directory_unavailable" | "mirror.directory_silent" | "mirror.no_directory" | "mirror.names_or_filter" | "mirror.filter_required" | "mirror.hash_required" | "mirror.too_many_entries" | "mirror.dn_unreadable" | "mirror.entry_not_found" | "mirror.entry_of_record" | "mirror.not_adoptable" | "mirror.no_such_directory" | "mirror.layout_in_effect" | "mirror.layout_outdated" | "mirror.layout_held" | "mirror.layout_blocked" | "mirror.preview_outdated" | "mirror.entry_found_meanwhile" | "people.username_taken" | "people.mail_taken" | "people.mobile_taken" | "people.job_number_taken" | "people.source_taken" | "people.group_name_taken" | "people.group_name_reserved" | "people.cannot_delete_self" | "people.cannot_disable_self" | "people.user_gone" | "people.password_changed" | "people.needed_for_action" | "people.user_disabled" | "people.user_without_mail" | "people.attribute_not_found" | "people.attribute_taken" | "people.attribute_reserved" | "people.attribute_bounds" | "people.attribute_limit" | "people.attribute_unknown" | "people.attribute_fixed" | "people.ldap_attribute_taken" | "people.ldap_unfit" | "people.value_characters" | "people.value_not_ascii" | "people.value_not_boolean" | "people.value_not_date" | "people.value_not_integer" | "people.value_single" | "people.value_too_large" | "people.value_too_long" | "people.value_too_many" | "people.value_too_short" | "people.value_too_small" | "people.posix_off" | "people.posix_number_kept" | "people.posix_number_reserved" | "people.posix_number_taken" | "people.ssh_key_broken" | "people.ssh_key_private" | "people.ssh_key_options" | "people.ssh_key_type" | "people.ssh_key_short" | "people.ssh_key_known" | "people.ssh_key_not_found" | "people.ssh_key_limit" | "people.mail_proof_used" | "sync.run_not_found" | "sync.run_not_held" | "sync.run_not_held_any_more" | "sync.other_plan" | "sync.plan_outdated" | "sync.plan_too_strong" | "sync.run_failed" | "sync.scheduled_run_failed" | "sync.snapshot_lost" | "sync.source_busy" | "sync.source_taken" | "sync.source_silent" | "sync.source_failed" | "sync.exta_not_configured" | "sync.extb_not_configured" | "sync.extc_not_configured" | "sync.extldap_not_configured" | "sync.relation_deleted" | "sync.relation_unusable" | "sync.flag_taken" | "sync.unknown_field" | "sync.field_required" | "sync.expression" | "sync.records_hidden";
        /**
         * @description The values in the text of the reason, by name; numbers are strings too. Empty if the text has no values. A value
         *     that can itself be translated is there a second time, under its name with `.0`, as the JSON of a statement
         *     `{code, params, text}`.
         */
        ReasonValues: {
            [key: string]: string;
        };
        /** @description The fields at fault */
        FieldProblems: components["schemas"]["FieldProblem"][];
        FieldProblem: {
            /** @description The field's path, such as `username` or `userIds.3` */
            field: string;
            message: string;
            reason: components["schemas"]["FailureReason"];
            params: components["schemas"]["ReasonValues"];
        };
        Login: {
            username: string;
            password: components["schemas"]["Password"];
            /** @description A code of the authenticator app, a recovery code, or a mailed code; ignored if it is not required */
            code?: string;
            newPassword?: components["schemas"]["NewPassword"];
        };
        SendCode: {
            mail: string;
        };
        ChangePasswordByCode: {
            mail: string;
            /** @description The mailed code */
            code: string;
            newPassword?: components["schemas"]["NewPassword"];
        };
        Token: {
            /** @description For the header `Authorization: Bearer <token>` */
            token: string;
            expires: components["schemas"]["Timestamp"];
        };
        DashboardCount: {
            /** @enum {string} */
            dataType: "user" | "group" | "role" | "menu" | "api" | "log";
            /** @description The name that is shown */
            dataName: string;
            /** Format: int64 */
            dataCount: number;
            /** @description The icon in the console */
            icon: string;
            /** @description The page of the console */
            path: string;
        };
        Created: {
            id: components["schemas"]["Id"];
        };
        /** @description An object without fields */
        Nothing: Record<string, never>;
        AddUser: {
            /** @description The `uid` of the directory entry; unique, ignoring case */
            username: string;
            /** @description The name that is shown */
            nickname: string;
            /** @description A mail address in ASCII, or empty; unique, ignoring case */
            mail: string;
            mobile: components["schemas"]["Mobile"];
            /** @description Unique if not empty */
            jobNumber: string;
            departmentId: components["schemas"]["Ids"];
            roleIds: components["schemas"]["Ids"];
            password?: components["schemas"]["FirstPassword"];
            givenName?: string;
            avatar?: components["schemas"]["Avatar"];
            introduction?: string;
            /** @description Job title */
            position?: string;
            postalAddress?: string;
            /** @description Names of departments as text. If it is empty, or equal to the names of the user's groups, the record shows the names of the groups */
            departments?: string;
            /** @description The source the user was imported from; empty for a local user */
            source?: string;
            status?: components["schemas"]["Status"];
        };
        UpdateUser: {
            id: components["schemas"]["Id"];
            username?: string;
            nickname?: string;
            mail?: string;
            mobile?: components["schemas"]["Mobile"];
            jobNumber?: string;
            departmentId: components["schemas"]["Ids"];
            roleIds: components["schemas"]["Ids"];
            givenName?: string;
            avatar?: components["schemas"]["Avatar"];
            introduction?: string;
            position?: string;
            postalAddress?: string;
            departments?: string;
            source?: string;
            version?: components["schemas"]["RecordVersion"];
        };
        UserIds: {
            userIds: components["schemas"]["Ids"];
        };
        ChangeOwnPassword: {
            oldPassword: components["schemas"]["Password"];
            newPassword: components["schemas"]["NewPassword"];
        };
        ChangeUserStatus: {
            id: components["schemas"]["Id"];
            status: components["schemas"]["Status"];
        };
        RoleSummary: {
            id: components["schemas"]["Id"];
            name: string;
            keyword: string;
            sort: components["schemas"]["Sort"];
            status: components["schemas"]["Status"];
        };
        User: {
            id: components["schemas"]["Id"];
            username: string;
            nickname: string;
            givenName: string;
            mail: string;
            mobile: string;
            jobNumber: string;
            avatar: string;
            introduction: string;
            position: string;
            postalAddress: string;
            departments: string;
            /** @description The ids of the user's groups */
            departmentId: components["schemas"]["Id"][];
            roleIds: components["schemas"]["Id"][];
            roles: components["schemas"]["RoleSummary"][];
            status: components["schemas"]["Status"];
            /** @description The source the user was imported from; empty for a local user */
            source: string;
            /** @description The user's id at the source */
            sourceUserId: string;
            /** @description The user's id across the organisations of the source */
            sourceUnionId: string;
            /** @description The DN of the directory entry */
            userDn: string;
            syncState: components["schemas"]["SyncState"];
            syncError: components["schemas"]["SyncError"];
            syncStated: components["schemas"]["SyncStated"];
            creator: components["schemas"]["Creator"];
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
        };
        UserList: {
            total: components["schemas"]["Total"];
            users: components["schemas"]["User"][];
        };
        /**
         * Format: int64
         * @description How many records match the filters, on all pages
         */
        Total: number;
        AddGroup: {
            /** @description Unique below the same parent */
            groupName: string;
            groupType: components["schemas"]["GroupType"];
            parentId: components["schemas"]["ParentId"];
            /** @description A description of the group */
            remark?: string;
        };
        /**
         * @description `ou` for an organizational unit (`organizationalUnit`), whose members are only in Steward, or `cn` for a group
         *     (`groupOfNames`), whose members are in the directory too
         * @enum {string}
         */
        GroupType: "ou" | "cn";
        UpdateGroup: {
            id: components["schemas"]["Id"];
            groupName: string;
            remark?: string;
            version?: components["schemas"]["RecordVersion"];
        };
        GroupIds: {
            groupIds: components["schemas"]["Ids"];
        };
        SyncGroups: {
            groupIds?: components["schemas"]["Ids"];
        };
        GroupUsers: {
            groupId: components["schemas"]["Id"];
            userIds: components["schemas"]["Ids"];
        };
        Group: {
            id: components["schemas"]["Id"];
            groupName: string;
            groupType: components["schemas"]["GroupType"];
            parentId: components["schemas"]["ParentId"];
            remark: string;
            /** @description The DN of the directory entry */
            groupDn: string;
            /** Format: int64 */
            memberCount: number;
            /** @description The source the group was imported from; empty for a local group */
            source: string;
            /** @description The department's id at the source */
            sourceDeptId: string;
            /** @description The id of the department's parent at the source */
            sourceDeptParentId: string;
            syncState: components["schemas"]["SyncState"];
            syncError: components["schemas"]["SyncError"];
            syncStated: components["schemas"]["SyncStated"];
            creator: components["schemas"]["Creator"];
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
        };
        GroupList: {
            total: components["schemas"]["Total"];
            groups: components["schemas"]["Group"][];
        };
        GroupNode: components["schemas"]["Group"] & {
            children: components["schemas"]["GroupNode"][];
        };
        MemberList: {
            groupId: components["schemas"]["Id"];
            groupName: string;
            groupRemark: string;
            userList: components["schemas"]["Member"][];
            /** @description On all pages */
            total?: number;
        };
        Member: {
            userId: components["schemas"]["Id"];
            userName: string;
            nickName: string;
            mail: string;
            jobNumber: string;
            mobile: string;
            introduction: string;
        };
        AddRole: {
            /** @description Unique */
            name: string;
            /** @description Unique; the name that programs use */
            keyword: string;
            remark?: string;
            sort?: components["schemas"]["RoleSort"];
            status?: components["schemas"]["Status"];
        };
        UpdateRole: {
            id: components["schemas"]["Id"];
            name: string;
            keyword: string;
            remark?: string;
            sort?: components["schemas"]["RoleSort"];
            status?: components["schemas"]["Status"];
            version?: components["schemas"]["RecordVersion"];
        };
        /** @description The rank of the role; a smaller value is a higher rank. 999 for a new role without a value */
        RoleSort: number;
        RoleIds: {
            roleIds: components["schemas"]["Ids"];
        };
        /**
         * @description Changes with every change of the record, including its memberships and grants. In the request of an update it
         *     is optional: with it, the update is refused (409, `db.changed_meanwhile`) if another request has changed the
         *     record since this version was read. Roles, menus and API entries contain it; for people and groups the Operations
         *     API returns it.
         */
        RecordVersion: string;
        RoleApis: {
            roleId: components["schemas"]["Id"];
            apiIds: components["schemas"]["Ids"];
            version?: components["schemas"]["RecordVersion"];
        };
        RoleMenus: {
            roleId: components["schemas"]["Id"];
            menuIds: components["schemas"]["Ids"];
            version?: components["schemas"]["RecordVersion"];
        };
        Role: {
            id: components["schemas"]["Id"];
            name: string;
            keyword: string;
            remark: string;
            sort: components["schemas"]["RoleSort"];
            status: components["schemas"]["Status"];
            creator: components["schemas"]["Creator"];
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
            version: components["schemas"]["RecordVersion"];
        };
        RoleList: {
            total: components["schemas"]["Total"];
            roles: components["schemas"]["Role"][];
        };
        AddMenu: {
            /** @description Unique; the route's name in the console */
            name: string;
            /** @description The text that is shown */
            title: string;
            /** @description The route's path */
            path: string;
            /** @description The console's component */
            component: string;
            parentId?: components["schemas"]["ParentId"];
            icon?: string;
            /** @description The path that the route redirects to */
            redirect?: string;
            /** @description The path of the menu to highlight instead of this one */
            activeMenu?: string;
            sort?: components["schemas"]["Sort"];
            status?: components["schemas"]["Status"];
            hidden?: components["schemas"]["Switch"];
            alwaysShow?: components["schemas"]["Switch"];
            noCache?: components["schemas"]["Switch"];
            breadcrumb?: components["schemas"]["Switch"];
        };
        UpdateMenu: {
            id: components["schemas"]["Id"];
            name: string;
            title: string;
            path: string;
            component?: string;
            parentId?: components["schemas"]["ParentId"];
            icon?: string;
            redirect?: string;
            activeMenu?: string;
            sort?: components["schemas"]["Sort"];
            status?: components["schemas"]["Status"];
            hidden?: components["schemas"]["Switch"];
            alwaysShow?: components["schemas"]["Switch"];
            noCache?: components["schemas"]["Switch"];
            breadcrumb?: components["schemas"]["Switch"];
            version?: components["schemas"]["RecordVersion"];
        };
        MenuIds: {
            menuIds: components["schemas"]["Ids"];
        };
        Menu: {
            id: components["schemas"]["Id"];
            name: string;
            title: string;
            path: string;
            component: string;
            parentId: components["schemas"]["ParentId"];
            icon: string;
            redirect: string;
            activeMenu: string;
            sort: components["schemas"]["Sort"];
            status: components["schemas"]["Status"];
            hidden: components["schemas"]["Switch"];
            alwaysShow: components["schemas"]["Switch"];
            noCache: components["schemas"]["Switch"];
            breadcrumb: components["schemas"]["Switch"];
            creator: components["schemas"]["Creator"];
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
            version: components["schemas"]["RecordVersion"];
        };
        MenuNode: components["schemas"]["Menu"] & {
            children: components["schemas"]["MenuNode"][];
        };
        AddApi: {
            category: string;
            /** @description The HTTP method */
            method: string;
            /** @description Relative to `/api`; unique together with the method */
            path: string;
            remark?: string;
        };
        UpdateApi: {
            id: components["schemas"]["Id"];
            category?: string;
            method?: string;
            path?: string;
            remark?: string;
            version?: components["schemas"]["RecordVersion"];
        };
        ApiIds: {
            apiIds: components["schemas"]["Ids"];
        };
        ApiEntry: {
            id: components["schemas"]["Id"];
            category: string;
            method: string;
            /** @description Relative to `/api` */
            path: string;
            remark: string;
            creator: components["schemas"]["Creator"];
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
            version: components["schemas"]["RecordVersion"];
        };
        ApiList: {
            total: components["schemas"]["Total"];
            apis: components["schemas"]["ApiEntry"][];
        };
        /** @description A category */
        ApiNode: {
            /** @description Unique in the tree; 0 or less, so that it differs from the ids of API entries */
            id: number;
            category: string;
            remark: string;
            children: components["schemas"]["ApiEntry"][];
        };
        AddFieldRelation: {
            flag: components["schemas"]["Flag"];
            attributes: components["schemas"]["Attributes"];
        };
        UpdateFieldRelation: {
            id: components["schemas"]["Id"];
            flag: components["schemas"]["Flag"];
            attributes: components["schemas"]["Attributes"];
        };
        /**
         * @description The source and the kind of record: `exta_user`, `exta_group`, and the same for `extb`, `extc` and `extldap`.
         *     Unique. A field relation with any other flag has no effect.
         */
        Flag: string;
        FieldRelationIds: {
            fieldRelationIds: components["schemas"]["Ids"];
        };
        FieldRelation: {
            id: components["schemas"]["Id"];
            flag: components["schemas"]["Flag"];
            attributes: components["schemas"]["Attributes"];
            creator: components["schemas"]["Creator"];
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
        };
        OperationLogIds: {
            operationLogIds: components["schemas"]["Ids"];
        };
        LogEntry: {
            id: components["schemas"]["Id"];
            /**
             * Format: int64
             * @description The entry's place in the chain
             */
            seq: number;
            /** @description The caller; empty where no user was signed in */
            username: string;
            ip: string;
            /** @description `SEAL` marks an entry that the log wrote about itself, such as a deletion */
            method: string;
            /** @description Relative to `/api`, in the same form as in API entries */
            path: string;
            /** @description What the operation does */
            remark: string;
            /** @description The envelope's code */
            status: number;
            startTime: components["schemas"]["Timestamp"];
            /** @description Milliseconds */
            timeCost: number;
            userAgent: string;
            /** @description The ids of the records that the request named or changed */
            target: components["schemas"]["Id"][];
            /**
             * @description How many requests the entry stands for. Many requests of unknown callers within a short time share an
             *     entry: `startTime` and `timeCost` then cover all of them, and fields in which they differ are empty.
             *     Otherwise 1.
             */
            times: number;
        };
        LogList: {
            total: components["schemas"]["Total"];
            logs: components["schemas"]["LogEntry"][];
        };
        RunReport: {
            runId: components["schemas"]["Id"];
            /** @enum {string} */
            source: "sql" | "exta" | "extb" | "extc" | "extldap";
            /** @enum {string} */
            kind: "users" | "groups";
            /**
             * @description `held`: the plan would remove or disable too many records, or would change people whom the user who started the run may not change; held changes were not applied and wait for a confirmation
             * @enum {string}
             */
            state: "running" | "done" | "held" | "failed";
            startedAt: components["schemas"]["Timestamp"];
            /**
             * Format: date-time
             * @description null while the run is in progress
             */
            finishedAt: string | null;
            /** @description Records that were compared */
            total: number;
            added: number;
            updated: number;
            moved: number;
            disabled: number;
            unchanged: number;
            skipped: number;
            failed: number;
            /** @description Changes that wait for a confirmation */
            held: number;
            /** @description The first 100 problems */
            problems: components["schemas"]["RunProblem"][];
        };
        RunProblem: {
            /** @description The record's id at the source */
            sourceId: string;
            name: string;
            /** @description The step that failed */
            step: string;
            reason: string;
            /** @description What to do about it */
            advice: string;
            stated?: components["schemas"]["Statement"];
            advised?: components["schemas"]["Statement"];
        };
        /** @description The reason or the advice of a report, in a form that can be translated */
        Statement: {
            /** @description Stable: a statement or a reason that docs/reasons.md lists */
            code: string;
            /** @description The values in the text by their names: a text each, or again a statement */
            params: {
                [key: string]: unknown;
            };
            /** @description In English */
            text: string;
        };
        DoneSuccess: {
            code: components["schemas"]["SuccessCode"];
            data: null;
            msg: components["schemas"]["Message"];
        };
        DoneReply: components["schemas"]["DoneSuccess"] | components["schemas"]["Failure"];
        CreatedSuccess: {
            code: components["schemas"]["SuccessCode"];
            data: components["schemas"]["Created"];
            msg: components["schemas"]["Message"];
        };
        CreatedReply: components["schemas"]["CreatedSuccess"] | components["schemas"]["Failure"];
        TokenSuccess: {
            code: components["schemas"]["SuccessCode"];
            data: components["schemas"]["Token"];
            msg: components["schemas"]["Message"];
        };
        TokenReply: components["schemas"]["TokenSuccess"] | components["schemas"]["Failure"];
        PongSuccess: {
            code: components["schemas"]["SuccessCode"];
            /** @enum {string} */
            data: "pong";
            msg: components["schemas"]["Message"];
        };
        PongReply: components["schemas"]["PongSuccess"] | components["schemas"]["Failure"];
        DashboardCountsSuccess: {
            code: components["schemas"]["SuccessCode"];
            data: components["schemas"]["DashboardCount"][];
            msg: components["schemas"]["Message"];
        };
        DashboardCountsReply: components["schemas"]["DashboardCountsSuccess"] | components["schemas"]["Failure"];
        EncryptedPasswordSuccess: {
            code: components["schemas"]["SuccessCode"];
            data: string;
            msg: components["schemas"]["Message"];
        };
        EncryptedPasswordReply: components["schemas"]["EncryptedPasswordSuccess"] | components["schemas"]["Failure"];
        PlainPasswordSuccess: {
            code: components["schemas"]["SuccessCode"];
            data: string;
            msg: components["schemas"]["Message"];
        };
        PlainPasswordReply: components["schemas"]["PlainPasswordSuccess"] | components["schemas"]["Failure"];
        UserSuccess: {
            code: components["schemas"]["SuccessCode"];
            data: components["schemas"]["User"];
            msg: components["schemas"]["Message"];
        };
        UserReply: components["schemas"]["UserSuccess"] | components["schemas"]["Failure"];
        UserListSuccess: {
            code: components["schemas"]["SuccessCode"];
            data: components["schemas"]["UserList"];
            msg: components["schemas"]["Message"];
        };
        UserListReply: components["schemas"]["UserListSuccess"] | components["schemas"]["Failure"];
        GroupListSuccess: {
            code: components["schemas"]["SuccessCode"];
            data: components["schemas"]["GroupList"];
            msg: components["schemas"]["Message"];
        };
        GroupListReply: components["schemas"]["GroupListSuccess"] | components["schemas"]["Failure"];
        GroupTreeSuccess: {
            code: components["schemas"]["SuccessCode"];
            data: components["schemas"]["GroupNode"][];
            msg: components["schemas"]["Message"];
        };
        GroupTreeReply: components["schemas"]["GroupTreeSuccess"] | components["schemas"]["Failure"];
        MemberListSuccess: {
            code: components["schemas"]["SuccessCode"];
            data: components["schemas"]["MemberList"];
            msg: components["schemas"]["Message"];
        };
        MemberListReply: components["schemas"]["MemberListSuccess"] | components["schemas"]["Failure"];
        RoleListSuccess: {
            code: components["schemas"]["SuccessCode"];
            data: components["schemas"]["RoleList"];
            msg: components["schemas"]["Message"];
        };
        RoleListReply: components["schemas"]["RoleListSuccess"] | components["schemas"]["Failure"];
        MenusSuccess: {
            code: components["schemas"]["SuccessCode"];
            data: components["schemas"]["Menu"][];
            msg: components["schemas"]["Message"];
        };
        MenusReply: components["schemas"]["MenusSuccess"] | components["schemas"]["Failure"];
        MenuTreeSuccess: {
            code: components["schemas"]["SuccessCode"];
            data: components["schemas"]["MenuNode"][];
            msg: components["schemas"]["Message"];
        };
        MenuTreeReply: components["schemas"]["MenuTreeSuccess"] | components["schemas"]["Failure"];
        ApiEntriesSuccess: {
            code: components["schemas"]["SuccessCode"];
            data: components["schemas"]["ApiEntry"][];
            msg: components["schemas"]["Message"];
        };
        ApiEntriesReply: components["schemas"]["ApiEntriesSuccess"] | components["schemas"]["Failure"];
        ApiListSuccess: {
            code: components["schemas"]["SuccessCode"];
            data: components["schemas"]["ApiList"];
            msg: components["schemas"]["Message"];
        };
        ApiListReply: components["schemas"]["ApiListSuccess"] | components["schemas"]["Failure"];
        ApiTreeSuccess: {
            code: components["schemas"]["SuccessCode"];
            data: components["schemas"]["ApiNode"][];
            msg: components["schemas"]["Message"];
        };
        ApiTreeReply: components["schemas"]["ApiTreeSuccess"] | components["schemas"]["Failure"];
        FieldRelationsSuccess: {
            code: components["schemas"]["SuccessCode"];
            data: components["schemas"]["FieldRelation"][];
            msg: components["schemas"]["Message"];
        };
        FieldRelationsReply: components["schemas"]["FieldRelationsSuccess"] | components["schemas"]["Failure"];
        LogListSuccess: {
            code: components["schemas"]["SuccessCode"];
            data: components["schemas"]["LogList"];
            msg: components["schemas"]["Message"];
        };
        LogListReply: components["schemas"]["LogListSuccess"] | components["schemas"]["Failure"];
        RunReportSuccess: {
            code: components["schemas"]["SuccessCode"];
            data: components["schemas"]["RunReport"];
            msg: components["schemas"]["Message"];
        };
        /** @description The run failed; `data` says what was done until then, and `problems` says why it failed */
        RunReportFailure: {
            /** @enum {integer} */
            code: 502;
            data: components["schemas"]["RunReport"];
            msg: components["schemas"]["Message"];
            reason: components["schemas"]["FailureReason"];
            params: components["schemas"]["ReasonValues"];
        };
        RunReportReply: components["schemas"]["RunReportSuccess"] | components["schemas"]["Failure"] | components["schemas"]["RunReportFailure"];
    };
    responses: {
        /** @description Done */
        DoneResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                "Retry-After": components["headers"]["RetryAfter"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 0,
                 *       "data": null,
                 *       "msg": "success"
                 *     }
                 */
                "application/json": components["schemas"]["DoneReply"];
            };
        };
        /** @description The new record's id */
        CreatedResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 0,
                 *       "data": {
                 *         "id": 12
                 *       },
                 *       "msg": "success"
                 *     }
                 */
                "application/json": components["schemas"]["CreatedReply"];
            };
        };
        /** @description A new access token */
        TokenResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                "Retry-After": components["headers"]["RetryAfter"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 0,
                 *       "data": {
                 *         "token": "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxIn0.kZ3n0d5t9qXv",
                 *         "expires": "2025-03-04T08:45:30.123Z"
                 *       },
                 *       "msg": "success"
                 *     }
                 */
                "application/json": components["schemas"]["TokenReply"];
            };
        };
        /** @description The service responds */
        PongResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 0,
                 *       "data": "pong",
                 *       "msg": "success"
                 *     }
                 */
                "application/json": components["schemas"]["PongReply"];
            };
        };
        /** @description The number of records of each kind */
        DashboardCountsResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                "Retry-After": components["headers"]["RetryAfter"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 0,
                 *       "data": [
                 *         {
                 *           "dataType": "user",
                 *           "dataName": "Users",
                 *           "dataCount": 214,
                 *           "icon": "people",
                 *           "path": "/personnel/user"
                 *         },
                 *         {
                 *           "dataType": "group",
                 *           "dataName": "Groups",
                 *           "dataCount": 31,
                 *           "icon": "peoples",
                 *           "path": "/personnel/group"
                 *         },
                 *         {
                 *           "dataType": "role",
                 *           "dataName": "Roles",
                 *           "dataCount": 4,
                 *           "icon": "eye-open",
                 *           "path": "/system/role"
                 *         },
                 *         {
                 *           "dataType": "menu",
                 *           "dataName": "Menus",
                 *           "dataCount": 12,
                 *           "icon": "tree-table",
                 *           "path": "/system/menu"
                 *         },
                 *         {
                 *           "dataType": "api",
                 *           "dataName": "API entries",
                 *           "dataCount": 102,
                 *           "icon": "tree",
                 *           "path": "/system/api"
                 *         },
                 *         {
                 *           "dataType": "log",
                 *           "dataName": "Log entries",
                 *           "dataCount": 90412,
                 *           "icon": "documentation",
                 *           "path": "/log/operation-log"
                 *         }
                 *       ],
                 *       "msg": "success"
                 *     }
                 */
                "application/json": components["schemas"]["DashboardCountsReply"];
            };
        };
        /** @description The encrypted password */
        EncryptedPasswordResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                "Retry-After": components["headers"]["RetryAfter"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 0,
                 *       "data": "v1.m7u84qs0.MRjnkPivW3eRUh1FOqVskiVG8sb9UJ-NiAGcfcwVcwW7UqozOE3qx32HFCBV3Tkntg",
                 *       "msg": "success"
                 *     }
                 */
                "application/json": components["schemas"]["EncryptedPasswordReply"];
            };
        };
        /** @description The plain password */
        PlainPasswordResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                "Retry-After": components["headers"]["RetryAfter"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 0,
                 *       "data": "correct-horse-battery",
                 *       "msg": "success"
                 *     }
                 */
                "application/json": components["schemas"]["PlainPasswordReply"];
            };
        };
        /** @description The user */
        UserResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 0,
                 *       "data": {
                 *         "id": 12,
                 *         "username": "li.na",
                 *         "nickname": "Li Na",
                 *         "givenName": "Na",
                 *         "mail": "li.na@example.com",
                 *         "mobile": "13800138000",
                 *         "jobNumber": "E-1042",
                 *         "avatar": "",
                 *         "introduction": "Runs the build farm",
                 *         "position": "Platform engineer",
                 *         "postalAddress": "88 Century Avenue, Shanghai",
                 *         "departments": "Engineering, Platform",
                 *         "departmentId": [
                 *           3,
                 *           7
                 *         ],
                 *         "roleIds": [
                 *           2
                 *         ],
                 *         "roles": [
                 *           {
                 *             "id": 2,
                 *             "name": "user",
                 *             "keyword": "user",
                 *             "sort": 3,
                 *             "status": 1
                 *           }
                 *         ],
                 *         "status": 1,
                 *         "source": "exta",
                 *         "sourceUserId": "u-5f2b81",
                 *         "sourceUnionId": "union-77ac0e",
                 *         "userDn": "uid=li.na,ou=people,dc=steward,dc=local",
                 *         "syncState": 1,
                 *         "syncError": "",
                 *         "syncStated": null,
                 *         "creator": "admin",
                 *         "createdAt": "2025-03-04T08:15:30.123Z",
                 *         "updatedAt": "2025-03-04T08:15:30.123Z"
                 *       },
                 *       "msg": "success"
                 *     }
                 */
                "application/json": components["schemas"]["UserReply"];
            };
        };
        /** @description Users, newest first */
        UserListResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 0,
                 *       "data": {
                 *         "total": 1,
                 *         "users": [
                 *           {
                 *             "id": 12,
                 *             "username": "li.na",
                 *             "nickname": "Li Na",
                 *             "givenName": "Na",
                 *             "mail": "li.na@example.com",
                 *             "mobile": "13800138000",
                 *             "jobNumber": "E-1042",
                 *             "avatar": "",
                 *             "introduction": "Runs the build farm",
                 *             "position": "Platform engineer",
                 *             "postalAddress": "88 Century Avenue, Shanghai",
                 *             "departments": "Engineering, Platform",
                 *             "departmentId": [
                 *               3,
                 *               7
                 *             ],
                 *             "roleIds": [
                 *               2
                 *             ],
                 *             "roles": [
                 *               {
                 *                 "id": 2,
                 *                 "name": "user",
                 *                 "keyword": "user",
                 *                 "sort": 3,
                 *                 "status": 1
                 *               }
                 *             ],
                 *             "status": 1,
                 *             "source": "exta",
                 *             "sourceUserId": "u-5f2b81",
                 *             "sourceUnionId": "union-77ac0e",
                 *             "userDn": "uid=li.na,ou=people,dc=steward,dc=local",
                 *             "syncState": 1,
                 *             "syncError": "",
                 *             "syncStated": null,
                 *             "creator": "admin",
                 *             "createdAt": "2025-03-04T08:15:30.123Z",
                 *             "updatedAt": "2025-03-04T08:15:30.123Z"
                 *           }
                 *         ]
                 *       },
                 *       "msg": "success"
                 *     }
                 */
                "application/json": components["schemas"]["UserListReply"];
            };
        };
        /** @description Groups, newest first */
        GroupListResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 0,
                 *       "data": {
                 *         "total": 1,
                 *         "groups": [
                 *           {
                 *             "id": 7,
                 *             "groupName": "Platform",
                 *             "groupType": "cn",
                 *             "parentId": 3,
                 *             "remark": "Build and run",
                 *             "groupDn": "cn=Platform,ou=Engineering,dc=steward,dc=local",
                 *             "memberCount": 2,
                 *             "source": "",
                 *             "sourceDeptId": "",
                 *             "sourceDeptParentId": "",
                 *             "syncState": 2,
                 *             "syncError": "the directory has not answered yet",
                 *             "syncStated": {
                 *               "code": "mirror.not_answered_yet",
                 *               "params": {},
                 *               "text": "the directory has not answered yet"
                 *             },
                 *             "creator": "admin",
                 *             "createdAt": "2025-03-04T08:10:02.480Z",
                 *             "updatedAt": "2025-03-05T16:41:19.006Z"
                 *           }
                 *         ]
                 *       },
                 *       "msg": "success"
                 *     }
                 */
                "application/json": components["schemas"]["GroupListReply"];
            };
        };
        /** @description The groups without a parent, each with the groups below it */
        GroupTreeResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 0,
                 *       "data": [
                 *         {
                 *           "id": 3,
                 *           "groupName": "Engineering",
                 *           "groupType": "ou",
                 *           "parentId": 0,
                 *           "remark": "",
                 *           "groupDn": "ou=Engineering,dc=steward,dc=local",
                 *           "memberCount": 48,
                 *           "source": "",
                 *           "sourceDeptId": "",
                 *           "sourceDeptParentId": "",
                 *           "syncState": 1,
                 *           "syncError": "",
                 *           "syncStated": null,
                 *           "creator": "admin",
                 *           "createdAt": "2025-03-04T08:09:11.031Z",
                 *           "updatedAt": "2025-03-04T08:09:11.031Z",
                 *           "children": [
                 *             {
                 *               "id": 7,
                 *               "groupName": "Platform",
                 *               "groupType": "cn",
                 *               "parentId": 3,
                 *               "remark": "Build and run",
                 *               "groupDn": "cn=Platform,ou=Engineering,dc=steward,dc=local",
                 *               "memberCount": 2,
                 *               "source": "exta",
                 *               "sourceDeptId": "d-118",
                 *               "sourceDeptParentId": "d-100",
                 *               "syncState": 1,
                 *               "syncError": "",
                 *               "syncStated": null,
                 *               "creator": "admin",
                 *               "createdAt": "2025-03-04T08:10:02.480Z",
                 *               "updatedAt": "2025-03-05T16:41:19.006Z",
                 *               "children": []
                 *             }
                 *           ]
                 *         }
                 *       ],
                 *       "msg": "success"
                 *     }
                 */
                "application/json": components["schemas"]["GroupTreeReply"];
            };
        };
        /** @description The group, and the users that match */
        MemberListResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 0,
                 *       "data": {
                 *         "groupId": 7,
                 *         "groupName": "Platform",
                 *         "groupRemark": "Build and run",
                 *         "userList": [
                 *           {
                 *             "userId": 12,
                 *             "userName": "li.na",
                 *             "nickName": "Li Na",
                 *             "mail": "li.na@example.com",
                 *             "jobNumber": "E-1042",
                 *             "mobile": "13800138000",
                 *             "introduction": "Runs the build farm"
                 *           }
                 *         ]
                 *       },
                 *       "msg": "success"
                 *     }
                 */
                "application/json": components["schemas"]["MemberListReply"];
            };
        };
        /** @description Roles, newest first */
        RoleListResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 0,
                 *       "data": {
                 *         "total": 1,
                 *         "roles": [
                 *           {
                 *             "id": 4,
                 *             "name": "Help desk",
                 *             "keyword": "helpdesk",
                 *             "remark": "Resets passwords",
                 *             "sort": 20,
                 *             "status": 1,
                 *             "creator": "admin",
                 *             "createdAt": "2025-03-04T08:12:44.902Z",
                 *             "updatedAt": "2025-03-04T08:12:44.902Z",
                 *             "version": "0f8a2c61d94e7b3582c1f0e6a9d4b7c3"
                 *           }
                 *         ]
                 *       },
                 *       "msg": "success"
                 *     }
                 */
                "application/json": components["schemas"]["RoleListReply"];
            };
        };
        /** @description The menus */
        MenusResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 0,
                 *       "data": [
                 *         {
                 *           "id": 2,
                 *           "name": "User",
                 *           "title": "Users",
                 *           "path": "user",
                 *           "component": "/personnel/user/index",
                 *           "parentId": 1,
                 *           "icon": "people",
                 *           "redirect": "",
                 *           "activeMenu": "",
                 *           "sort": 11,
                 *           "status": 1,
                 *           "hidden": 2,
                 *           "alwaysShow": 2,
                 *           "noCache": 1,
                 *           "breadcrumb": 1,
                 *           "creator": "system",
                 *           "createdAt": "2025-03-04T08:00:00.000Z",
                 *           "updatedAt": "2025-03-04T08:00:00.000Z",
                 *           "version": "5d41402abc4b2a76b9719d911017c592"
                 *         }
                 *       ],
                 *       "msg": "success"
                 *     }
                 */
                "application/json": components["schemas"]["MenusReply"];
            };
        };
        /** @description The menus without a parent, each with the menus below it */
        MenuTreeResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 0,
                 *       "data": [
                 *         {
                 *           "id": 1,
                 *           "name": "Personnel",
                 *           "title": "Personnel",
                 *           "path": "/personnel",
                 *           "component": "Layout",
                 *           "parentId": 0,
                 *           "icon": "user",
                 *           "redirect": "/personnel/user",
                 *           "activeMenu": "",
                 *           "sort": 5,
                 *           "status": 1,
                 *           "hidden": 2,
                 *           "alwaysShow": 2,
                 *           "noCache": 2,
                 *           "breadcrumb": 1,
                 *           "creator": "system",
                 *           "createdAt": "2025-03-04T08:00:00.000Z",
                 *           "updatedAt": "2025-03-04T08:00:00.000Z",
                 *           "version": "5d41402abc4b2a76b9719d911017c592",
                 *           "children": [
                 *             {
                 *               "id": 2,
                 *               "name": "User",
                 *               "title": "Users",
                 *               "path": "user",
                 *               "component": "/personnel/user/index",
                 *               "parentId": 1,
                 *               "icon": "people",
                 *               "redirect": "",
                 *               "activeMenu": "",
                 *               "sort": 11,
                 *               "status": 1,
                 *               "hidden": 2,
                 *               "alwaysShow": 2,
                 *               "noCache": 1,
                 *               "breadcrumb": 1,
                 *               "creator": "system",
                 *               "createdAt": "2025-03-04T08:00:00.000Z",
                 *               "updatedAt": "2025-03-04T08:00:00.000Z",
                 *               "version": "5d41402abc4b2a76b9719d911017c592",
                 *               "children": []
                 *             }
                 *           ]
                 *         }
                 *       ],
                 *       "msg": "success"
                 *     }
                 */
                "application/json": components["schemas"]["MenuTreeReply"];
            };
        };
        /** @description The API entries */
        ApiEntriesResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 0,
                 *       "data": [
                 *         {
                 *           "id": 11,
                 *           "category": "users",
                 *           "method": "GET",
                 *           "path": "/user/list",
                 *           "remark": "List users",
                 *           "creator": "system",
                 *           "createdAt": "2025-03-04T08:00:00.000Z",
                 *           "updatedAt": "2025-03-04T08:00:00.000Z",
                 *           "version": "5d41402abc4b2a76b9719d911017c592"
                 *         }
                 *       ],
                 *       "msg": "success"
                 *     }
                 */
                "application/json": components["schemas"]["ApiEntriesReply"];
            };
        };
        /** @description API entries, newest first */
        ApiListResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 0,
                 *       "data": {
                 *         "total": 1,
                 *         "apis": [
                 *           {
                 *             "id": 11,
                 *             "category": "users",
                 *             "method": "GET",
                 *             "path": "/user/list",
                 *             "remark": "List users",
                 *             "creator": "system",
                 *             "createdAt": "2025-03-04T08:00:00.000Z",
                 *             "updatedAt": "2025-03-04T08:00:00.000Z",
                 *             "version": "5d41402abc4b2a76b9719d911017c592"
                 *           }
                 *         ]
                 *       },
                 *       "msg": "success"
                 *     }
                 */
                "application/json": components["schemas"]["ApiListReply"];
            };
        };
        /** @description The categories, each with its API entries */
        ApiTreeResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 0,
                 *       "data": [
                 *         {
                 *           "id": -1,
                 *           "category": "users",
                 *           "remark": "users",
                 *           "children": [
                 *             {
                 *               "id": 11,
                 *               "category": "users",
                 *               "method": "GET",
                 *               "path": "/user/list",
                 *               "remark": "List users",
                 *               "creator": "system",
                 *               "createdAt": "2025-03-04T08:00:00.000Z",
                 *               "updatedAt": "2025-03-04T08:00:00.000Z",
                 *               "version": "5d41402abc4b2a76b9719d911017c592"
                 *             }
                 *           ]
                 *         }
                 *       ],
                 *       "msg": "success"
                 *     }
                 */
                "application/json": components["schemas"]["ApiTreeReply"];
            };
        };
        /** @description The field relations */
        FieldRelationsResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 0,
                 *       "data": [
                 *         {
                 *           "id": 1,
                 *           "flag": "exta_user",
                 *           "attributes": {
                 *             "username": "lower(before(org_email ?? email, \"@\"))",
                 *             "nickname": "name",
                 *             "mail": "org_email ?? email",
                 *             "jobNumber": "job_number"
                 *           },
                 *           "creator": "system",
                 *           "createdAt": "2025-03-04T08:00:00.000Z",
                 *           "updatedAt": "2025-03-04T08:00:00.000Z"
                 *         }
                 *       ],
                 *       "msg": "success"
                 *     }
                 */
                "application/json": components["schemas"]["FieldRelationsReply"];
            };
        };
        /** @description Log entries, newest first */
        LogListResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 0,
                 *       "data": {
                 *         "total": 1,
                 *         "logs": [
                 *           {
                 *             "id": 9003,
                 *             "seq": 9003,
                 *             "username": "admin",
                 *             "ip": "192.0.2.17",
                 *             "method": "POST",
                 *             "path": "/user/changeUserStatus",
                 *             "remark": "Enable or disable a user",
                 *             "status": 0,
                 *             "startTime": "2025-03-05T16:41:19.006Z",
                 *             "timeCost": 41,
                 *             "userAgent": "Mozilla/5.0 (X11; Linux x86_64; rv:136.0) Gecko/20100101 Firefox/136.0",
                 *             "target": [
                 *               12
                 *             ],
                 *             "times": 1
                 *           }
                 *         ]
                 *       },
                 *       "msg": "success"
                 *     }
                 */
                "application/json": components["schemas"]["LogListReply"];
            };
        };
        /** @description What the run has done until now */
        RunReportResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 0,
                 *       "data": {
                 *         "runId": 58,
                 *         "source": "exta",
                 *         "kind": "users",
                 *         "state": "done",
                 *         "startedAt": "2025-03-05T02:00:00.014Z",
                 *         "finishedAt": "2025-03-05T02:00:03.551Z",
                 *         "total": 214,
                 *         "added": 2,
                 *         "updated": 5,
                 *         "moved": 0,
                 *         "disabled": 1,
                 *         "unchanged": 205,
                 *         "skipped": 1,
                 *         "failed": 0,
                 *         "held": 0,
                 *         "problems": [
                 *           {
                 *             "sourceId": "u-90c1",
                 *             "name": "Chen Jie",
                 *             "step": "mapping",
                 *             "reason": "username: is not in the record",
                 *             "advice": "Correct it at the source, or change the field relation"
                 *           }
                 *         ]
                 *       },
                 *       "msg": "success"
                 *     }
                 */
                "application/json": components["schemas"]["RunReportReply"];
            };
        };
    };
    parameters: {
        /**
         * @description The page, counted from 1; 1 when only `pageSize` is given
         * @example 1
         */
        PageNum: number;
        /**
         * @description Records per page; 10 when only `pageNum` is given
         * @example 20
         */
        PageSize: number;
        /**
         * @description The group
         * @example 7
         */
        GroupId: components["schemas"]["Id"];
        /**
         * @description The role
         * @example 2
         */
        RoleId: components["schemas"]["Id"];
    };
    requestBodies: never;
    headers: {
        /**
         * @description The id of the request; quote it when you report a problem
         * @example 0c1f8e52-7a41-4a5e-9a37-0f9d3b6c2e11
         */
        RequestId: string;
        /**
         * @description How to authenticate, if `code` is 401 (RFC 6750)
         * @example Bearer
         */
        WwwAuthenticate: string;
        /**
         * @description Seconds to wait before the next attempt, if `code` is 429 or 503
         * @example 30
         */
        RetryAfter: number;
        /**
         * @description How many requests the rate limit of this operation allows; absent if it has no limit
         * @example 60
         */
        RateLimitLimit: number;
        /**
         * @description How many requests are left
         * @example 59
         */
        RateLimitRemaining: number;
        /**
         * @description Seconds until the limit is reset
         * @example 60
         */
        RateLimitReset: number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "username": "admin",
                 *       "password": "correct-horse-battery"
                 *     }
                 */
                "application/json": components["schemas"]["Login"];
            };
        };
        responses: {
            200: components["responses"]["TokenResponse"];
        };
    };
    logout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["DoneResponse"];
        };
    };
    refreshToken: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The word Bearer, a space and the old token
                 * @example Bearer eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxIn0.kZ3n0d5t9qXv
                 */
                Authorization: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["TokenResponse"];
        };
    };
    ping: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["PongResponse"];
        };
    };
    dashboard: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["DashboardCountsResponse"];
        };
    };
    encryptPassword: {
        parameters: {
            query: {
                /**
                 * @description A plain password
                 * @example correct-horse-battery
                 */
                passwd: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["EncryptedPasswordResponse"];
        };
    };
    decryptPassword: {
        parameters: {
            query: {
                /**
                 * @description An encrypted password
                 * @example v1.m7u84qs0.MRjnkPivW3eRUh1FOqVskiVG8sb9UJ-NiAGcfcwVcwW7UqozOE3qx32HFCBV3Tkntg
                 */
                passwd: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["PlainPasswordResponse"];
        };
    };
    sendCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "mail": "li.na@example.com"
                 *     }
                 */
                "application/json": components["schemas"]["SendCode"];
            };
        };
        responses: {
            200: components["responses"]["DoneResponse"];
        };
    };
    changePasswordByCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "mail": "li.na@example.com",
                 *       "code": "402917",
                 *       "newPassword": "plum-orbit-candle-7"
                 *     }
                 */
                "application/json": components["schemas"]["ChangePasswordByCode"];
            };
        };
        responses: {
            200: components["responses"]["DoneResponse"];
        };
    };
    addUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "username": "li.na",
                 *       "nickname": "Li Na",
                 *       "givenName": "Na",
                 *       "mail": "li.na@example.com",
                 *       "mobile": "13800138000",
                 *       "jobNumber": "E-1042",
                 *       "departmentId": [
                 *         3,
                 *         7
                 *       ],
                 *       "roleIds": [
                 *         2
                 *       ],
                 *       "password": "plum-orbit-candle-7",
                 *       "position": "Platform engineer",
                 *       "postalAddress": "88 Century Avenue, Shanghai",
                 *       "introduction": "Runs the build farm",
                 *       "status": 1
                 *     }
                 */
                "application/json": components["schemas"]["AddUser"];
            };
        };
        responses: {
            200: components["responses"]["CreatedResponse"];
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": 12,
                 *       "nickname": "Li Na",
                 *       "position": "Team lead",
                 *       "introduction": "",
                 *       "departmentId": [
                 *         3
                 *       ],
                 *       "roleIds": [
                 *         2
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["UpdateUser"];
            };
        };
        responses: {
            200: components["responses"]["DoneResponse"];
        };
    };
    deleteUsers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "userIds": [
                 *         12,
                 *         15
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["UserIds"];
            };
        };
        responses: {
            200: components["responses"]["DoneResponse"];
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /**
                 * @description The page, counted from 1; 1 when only `pageSize` is given
                 * @example 1
                 */
                pageNum?: components["parameters"]["PageNum"];
                /**
                 * @description Records per page; 10 when only `pageNum` is given
                 * @example 20
                 */
                pageSize?: components["parameters"]["PageSize"];
                /** @description Part of the username */
                username?: components["schemas"]["TextFilter"];
                /** @description Part of the nickname */
                nickname?: components["schemas"]["TextFilter"];
                /** @description Part of the given name */
                givenName?: components["schemas"]["TextFilter"];
                /** @description Part of the mail address */
                mail?: components["schemas"]["TextFilter"];
                /** @description Part of the mobile number */
                mobile?: components["schemas"]["TextFilter"];
                /** @description Part of the job number */
                jobNumber?: components["schemas"]["TextFilter"];
                /** @description Exactly this status */
                status?: components["schemas"]["Status"];
                /** @description Exactly this state */
                syncState?: components["schemas"]["SyncState"];
                /** @description Members of this group */
                departmentId?: components["schemas"]["Id"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["UserListResponse"];
        };
    };
    getUserInfo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["UserResponse"];
        };
    };
    changeOwnPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "oldPassword": "plum-orbit-candle-7",
                 *       "newPassword": "seven-quiet-lanterns"
                 *     }
                 */
                "application/json": components["schemas"]["ChangeOwnPassword"];
            };
        };
        responses: {
            200: components["responses"]["DoneResponse"];
        };
    };
    changeUserStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": 12,
                 *       "status": 2
                 *     }
                 */
                "application/json": components["schemas"]["ChangeUserStatus"];
            };
        };
        responses: {
            200: components["responses"]["DoneResponse"];
        };
    };
    syncSqlUsers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "userIds": [
                 *         12,
                 *         15,
                 *         21
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["UserIds"];
            };
        };
        responses: {
            200: components["responses"]["RunReportResponse"];
        };
    };
    syncExtAUsers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["Nothing"];
            };
        };
        responses: {
            200: components["responses"]["RunReportResponse"];
        };
    };
    syncExtBUsers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["Nothing"];
            };
        };
        responses: {
            200: components["responses"]["RunReportResponse"];
        };
    };
    syncExtCUsers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["Nothing"];
            };
        };
        responses: {
            200: components["responses"]["RunReportResponse"];
        };
    };
    syncExtLdapUsers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["Nothing"];
            };
        };
        responses: {
            200: components["responses"]["RunReportResponse"];
        };
    };
    addGroup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "groupName": "Platform",
                 *       "groupType": "cn",
                 *       "parentId": 3,
                 *       "remark": "Build and run"
                 *     }
                 */
                "application/json": components["schemas"]["AddGroup"];
            };
        };
        responses: {
            200: components["responses"]["CreatedResponse"];
        };
    };
    updateGroup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": 7,
                 *       "groupName": "Platform engineering",
                 *       "remark": "Build, run and observe"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateGroup"];
            };
        };
        responses: {
            200: components["responses"]["DoneResponse"];
        };
    };
    deleteGroups: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "groupIds": [
                 *         7
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["GroupIds"];
            };
        };
        responses: {
            200: components["responses"]["DoneResponse"];
        };
    };
    listGroups: {
        parameters: {
            query?: {
                /**
                 * @description The page, counted from 1; 1 when only `pageSize` is given
                 * @example 1
                 */
                pageNum?: components["parameters"]["PageNum"];
                /**
                 * @description Records per page; 10 when only `pageNum` is given
                 * @example 20
                 */
                pageSize?: components["parameters"]["PageSize"];
                /** @description Part of the name */
                groupName?: components["schemas"]["TextFilter"];
                /** @description Part of the remark */
                remark?: components["schemas"]["TextFilter"];
                /** @description Exactly this state */
                syncState?: components["schemas"]["SyncState"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["GroupListResponse"];
        };
    };
    getGroupTree: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["GroupTreeResponse"];
        };
    };
    addGroupUsers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "groupId": 7,
                 *       "userIds": [
                 *         12,
                 *         15
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["GroupUsers"];
            };
        };
        responses: {
            200: components["responses"]["DoneResponse"];
        };
    };
    removeGroupUsers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "groupId": 7,
                 *       "userIds": [
                 *         15
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["GroupUsers"];
            };
        };
        responses: {
            200: components["responses"]["DoneResponse"];
        };
    };
    listUsersInGroup: {
        parameters: {
            query: {
                /**
                 * @description The group
                 * @example 7
                 */
                groupId: components["parameters"]["GroupId"];
                /** @description Part of the nickname */
                nickname?: components["schemas"]["TextFilter"];
                /** @description Part of the username, the nickname or the mail address */
                search?: components["schemas"]["TextFilter"];
                /**
                 * @description The page, counted from 1; 1 when only `pageSize` is given
                 * @example 1
                 */
                pageNum?: components["parameters"]["PageNum"];
                /**
                 * @description Records per page; 10 when only `pageNum` is given
                 * @example 20
                 */
                pageSize?: components["parameters"]["PageSize"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["MemberListResponse"];
        };
    };
    listUsersNotInGroup: {
        parameters: {
            query: {
                /**
                 * @description The group
                 * @example 7
                 */
                groupId: components["parameters"]["GroupId"];
                /** @description Part of the nickname */
                nickname?: components["schemas"]["TextFilter"];
                /** @description Part of the username, the nickname or the mail address */
                search?: components["schemas"]["TextFilter"];
                /**
                 * @description The page, counted from 1; 1 when only `pageSize` is given
                 * @example 1
                 */
                pageNum?: components["parameters"]["PageNum"];
                /**
                 * @description Records per page; 10 when only `pageNum` is given
                 * @example 20
                 */
                pageSize?: components["parameters"]["PageSize"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["MemberListResponse"];
        };
    };
    syncSqlGroups: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "groupIds": [
                 *         3,
                 *         7
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["SyncGroups"];
            };
        };
        responses: {
            200: components["responses"]["RunReportResponse"];
        };
    };
    syncExtADepts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RunReportResponse"];
        };
    };
    syncExtBDepts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RunReportResponse"];
        };
    };
    syncExtCDepts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RunReportResponse"];
        };
    };
    syncExtLdapDepts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RunReportResponse"];
        };
    };
    addRole: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Help desk",
                 *       "keyword": "helpdesk",
                 *       "remark": "Resets passwords",
                 *       "sort": 20,
                 *       "status": 1
                 *     }
                 */
                "application/json": components["schemas"]["AddRole"];
            };
        };
        responses: {
            200: components["responses"]["CreatedResponse"];
        };
    };
    updateRole: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": 4,
                 *       "name": "Help desk",
                 *       "keyword": "helpdesk",
                 *       "sort": 30
                 *     }
                 */
                "application/json": components["schemas"]["UpdateRole"];
            };
        };
        responses: {
            200: components["responses"]["DoneResponse"];
        };
    };
    deleteRoles: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "roleIds": [
                 *         4
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["RoleIds"];
            };
        };
        responses: {
            200: components["responses"]["DoneResponse"];
        };
    };
    listRoles: {
        parameters: {
            query?: {
                /**
                 * @description The page, counted from 1; 1 when only `pageSize` is given
                 * @example 1
                 */
                pageNum?: components["parameters"]["PageNum"];
                /**
                 * @description Records per page; 10 when only `pageNum` is given
                 * @example 20
                 */
                pageSize?: components["parameters"]["PageSize"];
                /** @description Part of the name */
                name?: components["schemas"]["TextFilter"];
                /** @description Part of the keyword */
                keyword?: components["schemas"]["TextFilter"];
                /** @description Exactly this status */
                status?: components["schemas"]["Status"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RoleListResponse"];
        };
    };
    getRoleApis: {
        parameters: {
            query: {
                /**
                 * @description The role
                 * @example 2
                 */
                roleId: components["parameters"]["RoleId"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ApiEntriesResponse"];
        };
    };
    getRoleMenus: {
        parameters: {
            query: {
                /**
                 * @description The role
                 * @example 2
                 */
                roleId: components["parameters"]["RoleId"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["MenusResponse"];
        };
    };
    updateRoleApis: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "roleId": 4,
                 *       "apiIds": [
                 *         11,
                 *         12,
                 *         18
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["RoleApis"];
            };
        };
        responses: {
            200: components["responses"]["DoneResponse"];
        };
    };
    updateRoleMenus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "roleId": 4,
                 *       "menuIds": [
                 *         1,
                 *         2
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["RoleMenus"];
            };
        };
        responses: {
            200: components["responses"]["DoneResponse"];
        };
    };
    addMenu: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "User",
                 *       "title": "Users",
                 *       "path": "user",
                 *       "component": "/personnel/user/index",
                 *       "parentId": 1,
                 *       "icon": "people",
                 *       "sort": 11,
                 *       "noCache": 1
                 *     }
                 */
                "application/json": components["schemas"]["AddMenu"];
            };
        };
        responses: {
            200: components["responses"]["CreatedResponse"];
        };
    };
    updateMenu: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": 2,
                 *       "name": "User",
                 *       "title": "People",
                 *       "path": "user",
                 *       "sort": 5,
                 *       "hidden": 2
                 *     }
                 */
                "application/json": components["schemas"]["UpdateMenu"];
            };
        };
        responses: {
            200: components["responses"]["DoneResponse"];
        };
    };
    deleteMenus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "menuIds": [
                 *         2
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["MenuIds"];
            };
        };
        responses: {
            200: components["responses"]["DoneResponse"];
        };
    };
    getMenuTree: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["MenuTreeResponse"];
        };
    };
    getAccessMenuTree: {
        parameters: {
            query: {
                /**
                 * @description The id of the caller or of a user of lower rank
                 * @example 12
                 */
                id: components["schemas"]["Id"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["MenuTreeResponse"];
        };
    };
    addApi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "category": "users",
                 *       "method": "GET",
                 *       "path": "/user/list",
                 *       "remark": "List users"
                 *     }
                 */
                "application/json": components["schemas"]["AddApi"];
            };
        };
        responses: {
            200: components["responses"]["CreatedResponse"];
        };
    };
    updateApi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": 11,
                 *       "remark": "List and search users"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateApi"];
            };
        };
        responses: {
            200: components["responses"]["DoneResponse"];
        };
    };
    deleteApis: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "apiIds": [
                 *         61
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ApiIds"];
            };
        };
        responses: {
            200: components["responses"]["DoneResponse"];
        };
    };
    listApis: {
        parameters: {
            query?: {
                /**
                 * @description The page, counted from 1; 1 when only `pageSize` is given
                 * @example 1
                 */
                pageNum?: components["parameters"]["PageNum"];
                /**
                 * @description Records per page; 10 when only `pageNum` is given
                 * @example 20
                 */
                pageSize?: components["parameters"]["PageSize"];
                /** @description Part of the method */
                method?: components["schemas"]["TextFilter"];
                /** @description Part of the path */
                path?: components["schemas"]["TextFilter"];
                /** @description Part of the category */
                category?: components["schemas"]["TextFilter"];
                /** @description Part of the creator's username */
                creator?: components["schemas"]["TextFilter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ApiListResponse"];
        };
    };
    getApiTree: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ApiTreeResponse"];
        };
    };
    addFieldRelation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "flag": "exta_user",
                 *       "attributes": {
                 *         "username": "lower(before(org_email ?? email, \"@\"))",
                 *         "nickname": "name",
                 *         "mail": "org_email ?? email",
                 *         "jobNumber": "job_number"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["AddFieldRelation"];
            };
        };
        responses: {
            200: components["responses"]["CreatedResponse"];
        };
    };
    updateFieldRelation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": 2,
                 *       "flag": "exta_group",
                 *       "attributes": {
                 *         "groupName": "trim(name)"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["UpdateFieldRelation"];
            };
        };
        responses: {
            200: components["responses"]["DoneResponse"];
        };
    };
    deleteFieldRelations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "fieldRelationIds": [
                 *         1
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["FieldRelationIds"];
            };
        };
        responses: {
            200: components["responses"]["DoneResponse"];
        };
    };
    listFieldRelations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["FieldRelationsResponse"];
        };
    };
    listOperationLogs: {
        parameters: {
            query?: {
                /**
                 * @description The page, counted from 1; 1 when only `pageSize` is given
                 * @example 1
                 */
                pageNum?: components["parameters"]["PageNum"];
                /**
                 * @description Records per page; 10 when only `pageNum` is given
                 * @example 20
                 */
                pageSize?: components["parameters"]["PageSize"];
                /** @description Part of the username */
                username?: components["schemas"]["TextFilter"];
                /** @description Part of the address */
                ip?: components["schemas"]["TextFilter"];
                /** @description Part of the path */
                path?: components["schemas"]["TextFilter"];
                /** @description Part of the method */
                method?: components["schemas"]["TextFilter"];
                /** @description Exactly this code of the envelope */
                status?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["LogListResponse"];
        };
    };
    deleteOperationLogs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "operationLogIds": [
                 *         9001,
                 *         9002
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["OperationLogIds"];
            };
        };
        responses: {
            200: components["responses"]["DoneResponse"];
        };
    };
    cleanOperationLogs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["DoneResponse"];
        };
    };
}
