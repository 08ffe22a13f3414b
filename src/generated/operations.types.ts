// Generated from openapi/operations.yaml by scripts/codegen.ts. Do not edit.
export interface paths {
    "/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List runs
         * @description The runs without their problems; `GET /runs/{id}` shows the problems of a run.
         */
        get: operations["listRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/comparisons": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Compare all people or all groups with the directory
         * @description Starts a run that compares every record with its entry and repairs the differences, or joins such a run of this
         *     kind; orphan entries are reported. With `dryRun` nothing is written, neither to the directory nor to a record: the
         *     run ends as `planned`, and its changes say for each record what a comparison would do. Figures and changes are
         *     those of the main directory; a comparison compares further directories in the background as well. Returns the run when it
         *     has ended. If it takes longer than `SYNC_WAIT`, the
         *     response shows its state at that time, and the run goes on; its progress is shown as that of every run. A run
         *     that could not compare everything is 502.
         */
        post: operations["compareDirectory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/directories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the directories
         * @description The main directory comes first. Each has the layout of groups in effect and that of the settings, how many records
         *     wait for it or were refused by it, and, where it gets a part of the organisation (`LDAP_2_GROUPS`), which part. No
         *     directory is read for it. The list is empty if there is no directory.
         */
        get: operations["listDirectories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/directories/{directory}/pending": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List records that a directory does not show yet
         * @description People and groups whose entry in this directory is not what it should be yet, with the reason: first those that
         *     the directory refused, then those that wait, groups before people, in the order of their ids. The entry of a
         *     record that was deleted, or that this directory does not get any more, is to be removed. With the state
         *     `incomplete` instead those whose entry is up to date and lacks something, with what it lacks and what to do: a
         *     password that this directory has not got, an attribute that its schema does not know. No directory is read for
         *     it.
         */
        get: operations["listPendingEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/directories/{directory}/layout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the plan for another layout of groups
         * @description The layout that is in effect and the one of the settings (`LDAP_GROUP_LAYOUT`). Where the two differ, the groups
         *     whose entries would move, in the order of their ids, with the hash of this plan; otherwise those that have not
         *     reached their places. Nothing is changed. Each request reads the directory. Needs a role with `sort` 1.
         */
        get: operations["getGroupLayout"];
        put?: never;
        /**
         * Change the layout of groups in a directory
         * @description Carries out exactly the plan with this hash: from then on the layout of the settings is in effect, and a run
         *     moves the groups, with its progress. It cannot be taken back but by setting the other layout. A plan that is
         *     held has to be confirmed by `confirmed`. Returns the run when it has ended. If it takes longer than
         *     `SYNC_WAIT`, the response shows its state at that time, and the run goes on. If the service stops, the groups
         *     that are left move after the next start. Needs a role with `sort` 1 and a step-up.
         */
        post: operations["changeGroupLayout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/runs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a run
         * @description While the run is in progress, `phase`, `progress` and `progressOf` show its progress.
         */
        get: operations["getRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/runs/{id}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the changes of a run's plan
         * @description In the order in which they are applied. A comparison with the directory has none, unless it is a dry run, and neither has a run that failed while reading.
         */
        get: operations["listRunChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/runs/{id}/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm a held plan
         * @description Applies exactly the plan with this hash, or the held part of it, with the caller's rank. Needs a step-up.
         *     Changes that the caller's rank does not allow stay held, and the run stays held too. Returns the run when it
         *     has ended. If it takes longer than `SYNC_WAIT`, the response shows its state at that time, and the run goes
         *     on. A failed run is 502. `message` says if the run is still in progress, and if records failed. 409 if the field
         *     relation was saved or deleted after the run had begun, 503 if the source is not configured any more.
         */
        post: operations["confirmRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/runs/{id}/discard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Discard a held plan
         * @description The held changes are not applied. The next run of the source makes a new plan. Needs a step-up, because people
         *     who have left stay enabled. 403 if the plan would change people of equal or higher rank, because discarding it
         *     would keep them as they are.
         */
        post: operations["discardRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sources
         * @description All four slots, including slots without a configured source.
         */
        get: operations["listSources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sources/{source}/dry-runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Plan a synchronisation without applying it
         * @description Starts a run that ends in the state `planned`, or joins such a run of this source and kind. Returns the run
         *     when it has ended. If it takes longer than `SYNC_WAIT`, the response shows its state at that time, and the run
         *     goes on. Its changes show what a run would do now, and `message` says if the plan would be held. A failed dry
         *     run is 502.
         */
        post: operations["startDryRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sources/{source}/diagnose": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Diagnose a source
         * @description Tests the settings of the source step by step, without changing anything, for at most half a minute.
         */
        post: operations["diagnoseSource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sources/{source}/mapping-previews": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview the mapping of some records of a source
         * @description Reads up to twenty records and maps them with the `attributes` of the request, or with the stored field relation
         *     if the request has no `attributes`. Nothing is saved. Records are shown whole: refused for callers who may not see
         *     every declared attribute of that kind.
         */
        post: operations["previewMapping"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List schedules
         * @description The schedules of all sources that have one.
         */
        get: operations["listSchedules"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List entries of the operation log
         * @description Newest first, in pages: `next` is the `cursor` of the next page. Old pages are found as fast as new pages.
         *     Entries that an administrator deleted are not in the list.
         */
        get: operations["listLogEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/log/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export entries of the operation log
         * @description All entries that match the filters, newest first, as a file that is sent while the entries are read. `csv` is
         *     UTF-8 with a byte order mark, for spreadsheets: a cell that a spreadsheet would take for a formula begins with
         *     an apostrophe. `ndjson` has one entry per line, as `GET /log` shows it. If reading fails during the transfer,
         *     the connection is closed before the end of the file.
         */
        get: operations["exportLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/log/chain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the state of the operation log's chain
         * @description The current end of the chain, and the result of the last verification. This operation does not verify the
         *     chain; `POST /log/verify` does.
         */
        get: operations["getLogChain"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/log/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify the operation log
         * @description Starts a verification of the whole chain in the background, or joins a verification that is in progress on any
         *     instance; `message` says which. `GET /progress` shows its progress, `GET /log/chain` its result.
         */
        post: operations["verifyLog"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/log/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show an entry of the operation log
         * @description The entry with its place in the chain, the operation, and the current names of the records in `target`.
         */
        get: operations["getLogEntry"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/progress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Watch the progress of long work
         * @description Server-sent events. Each event is named `progress`; its data is a complete `ProgressSnapshot` in JSON: the
         *     work that matches the filters, in progress on any instance or ended within the last minute. With an `id` the
         *     snapshot has exactly this work, even if it ended long ago. The first event is sent at once, the next events
         *     when something has changed, at most two per second. A comment is sent every 15 seconds.
         *
         *     A client that reads slowly gets the newest snapshot and misses earlier snapshots. The stream ends when the
         *     session ends, when the caller's roles no longer grant the operation, when the service stops, and after the
         *     lifetime of a token (`TOKEN_TTL`); the client then connects again. A user can have 10 open streams on an
         *     instance (429), an instance 1000 (503).
         */
        get: operations["watchProgress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/progress/snapshot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the progress of long work
         * @description The same data as an event of `GET /progress` with these filters, for clients that poll.
         */
        get: operations["getProgress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Watch what is urgent
         * @description Server-sent events. Each event is named `notices`; its data is a complete `NoticeList` in JSON: open alerts of
         *     level `danger`, held runs, and locked accounts. The first event is sent at once, the next events within two
         *     seconds after a change. The stream ends in the same cases as that of `GET /progress`, and has the same limits.
         */
        get: operations["watchNotices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notices/snapshot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what is urgent
         * @description The same data as an event of `GET /notices`, for clients that poll.
         */
        get: operations["listNotices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the overview
         * @description The figures of the home page of the console, at most 3 seconds old. They are the same for every caller, who may
         *     not be able to see elsewhere the users of `signIns`; `lately` leaves out what the caller may not read elsewhere.
         */
        get: operations["getOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/first-steps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the first steps of an installation
         * @description What a new installation still needs, from the same evidence as the score of the Security Center API, in the order
         *     in which it is best done.
         */
        get: operations["listFirstSteps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/score": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the score with its deductions
         * @description The score of the Security Center API with every deduction, and the state of each area. Everything is measured now;
         *     unlike `POST /check` of the Security Center API this stores nothing.
         */
        get: operations["getScore"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search alerts
         * @description Newest first, in pages: `next` is the `cursor` of the next page.
         */
        get: operations["searchAlerts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alerts/handle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark alerts as handled
         * @description Records who handled the alerts and when. Alerts that are handled already, or do not exist, are left out.
         */
        post: operations["handleAlerts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/foods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search foods
         * @description The foods whose nutrients are known, the best match first; without `q` sorted by their English names. `q` is a
         *     part of a name or a synonym, in Chinese or English.
         */
        get: operations["searchFoods"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/recipes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search recipes
         * @description The recipes that a plan can contain, the best match first; without `q` sorted by their ids. `q` is a part of
         *     the name of the recipe or of an ingredient, in Chinese or English.
         */
        get: operations["searchRecipes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/diet/days": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the planned days
         * @description The caller's plans of `days` days from `from` on, with the figures of each day, what was eaten, and the target.
         *     Days without a plan are absent. `wishes` are those of the plan that was saved last.
         */
        get: operations["listDietDays"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/diet/previews": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview the figures of a day
         * @description The figures of meals that are not saved, for each meal and each ingredient, and what `savePlan` would refuse:
         *     `refused` lists the ingredients that contain an allergen, `problems` the rest. An ingredient whose name or amount
         *     is empty, because it is still being typed, counts as unknown and is not a problem. Nothing is saved.
         */
        post: operations["previewDietDay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/diet/allergies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explain what an allergy refuses
         * @description The classes of allergens that a word means, and the foods that a plan with it refuses, sorted by their English
         *     names. A word that is not `known` refuses only what has it in its name.
         */
        get: operations["explainAllergy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orphans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List orphan entries
         * @description The current orphan entries, in the order of the directory. Each request reads the directory again. Needs a
         *     role with `sort` 1.
         */
        get: operations["listOrphans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orphans/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview adopting or ignoring orphan entries
         * @description Returns how many entries match the filter, the first hundred of them, and a hash of all matching entries.
         *     Nothing is changed. Ignored entries do not match; entries that cannot be adopted do not match for `adopt`.
         *     Needs a role with `sort` 1.
         */
        post: operations["previewOrphans"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orphans/adopt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Adopt orphan entries
         * @description Makes each entry the entry of its record: the entries of `dns`, or the entries that match a `filter`, with the
         *     `hash` of its preview. All of them are adopted, or none. The entries are then made equal to their records at
         *     once. Attributes that other programs wrote are kept. Needs a role with `sort` 1. A caller who has a second
         *     factor needs a step-up: the account gets the password of its record.
         */
        post: operations["adoptOrphans"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orphans/ignore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ignore orphan entries
         * @description Ignores the entries of `dns`, or the entries that match a `filter`, with the `hash` of its preview. The
         *     entries are not changed, and comparisons do not report them any more. Needs a role with `sort` 1.
         */
        post: operations["ignoreOrphans"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orphans/heed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop ignoring orphan entries
         * @description Comparisons report these entries again. A DN that was not ignored has no effect. Needs a role with `sort` 1.
         */
        post: operations["heedOrphans"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/people": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List people
         * @description A page of the people that match all filters. `next` and `previous` are the cursors of the next and the
         *     previous page. The last page is found as fast as the first page. `total` is exact up to 10000.
         */
        get: operations["listPeople"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/people/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a person
         * @description The complete record, with the state of its directory entry, and whether the caller may change it.
         */
        get: operations["getPerson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/people/{id}/why": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explain why a person may call an operation
         * @description With `operation`: whether the person may call this operation, the roles that grant it, and otherwise what is
         *     missing. Without `operation`: all operations that the person may call.
         */
        get: operations["explainGrant"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/people/{id}/sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry the directory entry of a person
         * @description Compares the entry with the record and writes the differences, even if the directory refused the entry before.
         *     Returns the state of the entry after a few seconds at most; it is `waiting` if the entry was not written in
         *     this time.
         */
        post: operations["retryPerson"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/people/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change many people
         * @description Applies one action to up to 1000 people. A person whom the caller may not change is refused with the reason,
         *     and the others are changed. With `dryRun` nothing is changed, and the response says what would be changed.
         *
         *     `move` ends the membership in `from` and adds one in `to`. `addRoles` and `removeRoles` need `roleIds`;
         *     `addGroups` and `removeGroups` need `groupIds`. `sync` compares the directory entries with the records. To
         *     enable a user with a role of `sort` 1, or to grant such a role, a caller who has a second factor needs a
         *     step-up.
         */
        post: operations["changePeople"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/departments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List departments and groups
         * @description The departments and groups below `parent`, or without `parent` those at the top, sorted by name. With `q` or
         *     `attribute`, `parent` is ignored: all departments and groups that match are listed, each with its `path`.
         */
        get: operations["listDepartments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/departments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a department or group
         * @description As in the list, and with its `path`.
         */
        get: operations["getDepartment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/departments/{id}/path": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the path of a department
         * @description The departments above it, from the top, and the department itself.
         */
        get: operations["getDepartmentPath"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/departments/{id}/move": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move a department
         * @description Moves a department, with everything below it, to another parent. With `dryRun` nothing is changed, and the
         *     response says what would be changed; an obstacle is then part of the response instead of a failure. 403 if
         *     people of equal or higher rank are in the department or below it.
         */
        post: operations["moveDepartment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/departments/{id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the members of a department
         * @description A page of its direct members, or with `member=false` of all people who are not direct members. Members are
         *     added and removed by `addGroupUsers` and `removeGroupUsers` of the Directory Administration API, or by
         *     `changePeople`.
         */
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/departments/{id}/sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry the directory entry of a department
         * @description The same as `retryPerson`, for the entry of a department or group.
         */
        post: operations["retryDepartment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/attributes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the declared attributes
         * @description All attributes of people and groups that administrators declared, sorted by kind and name.
         */
        get: operations["listAttributes"];
        put?: never;
        /**
         * Declare an attribute
         * @description Only for a role with `sort` 1, with a step-up. Names are compared without regard
         *     to case. `ldapAttribute` and `objectClass` are checked against the schema that the directory publishes, and are
         *     returned as the directory spells them. Refused are attributes that Steward or the server manages itself. With
         *     `dryRun` everything but the step-up is checked and nothing is declared; the `id` is then 0, and the `version` is of
         *     no record.
         */
        post: operations["declareAttribute"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/attributes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change an attribute
         * @description The rules of `declareAttribute` apply. An absent field keeps its value. Stored values outside new bounds stay until
         *     they are changed. With another `ldapAttribute` or `objectClass` the values that Steward wrote move to the new place.
         */
        put: operations["updateAttribute"];
        post?: never;
        /**
         * Remove an attribute
         * @description Only for a role with `sort` 1, with a step-up. Deletes the attribute, its values,
         *     and its place in field relations. The directory loses what Steward wrote; values that other tools wrote on entries
         *     of people and groups without a value in Steward stay.
         */
        delete: operations["removeAttribute"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/people/{id}/attributes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the declared attributes of a person
         * @description The attributes that the caller may see, with their values, and whether the caller may change them.
         */
        get: operations["getPersonAttributes"];
        /**
         * Change declared attributes of a person
         * @description An attribute that is absent from `values` keeps its values; an empty list removes them. An attribute that the caller
         *     may not see is unknown to them.
         */
        put: operations["setPersonAttributes"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/departments/{id}/attributes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the declared attributes of a department
         * @description The attributes that the caller may see, with their values, and whether the caller may change them.
         */
        get: operations["getDepartmentAttributes"];
        /**
         * Change declared attributes of a department
         * @description An attribute that is absent from `values` keeps its values; an empty list removes them. An attribute that the caller
         *     may not see is unknown to them.
         */
        put: operations["setDepartmentAttributes"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/people/{id}/posix": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the POSIX account of a person
         * @description The attributes that the directory shows, or would show. Empty where `POSIX_ACCOUNTS` is `off`.
         */
        get: operations["getPersonPosix"];
        /**
         * Set the POSIX number of a person
         * @description Only for a role with `sort` 1, with a step-up: the number of an account that has existed elsewhere. A number cannot
         *     be changed, and one that another person or group has, or had, cannot be set.
         */
        put: operations["setPersonPosix"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/departments/{id}/posix": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the POSIX group of a department
         * @description Whether it is switched on, and its number.
         */
        get: operations["getDepartmentPosix"];
        /**
         * Switch a POSIX group on or off
         * @description Where `POSIX_ACCOUNTS` is `groups`, the members of a group that is switched on have POSIX accounts. 403 if people of
         *     equal or higher rank are in the group. A `number` is set as in `setPersonPosix`. What is absent stays as it is.
         */
        put: operations["setDepartmentPosix"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/people/{id}/ssh-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the SSH keys of a person
         * @description Oldest first.
         */
        get: operations["listPersonSshKeys"];
        put?: never;
        /**
         * Add an SSH key to a person
         * @description The text is a line of a `.pub` file: ed25519, ecdsa, rsa from 2048 bits on, or a key in a security token, without
         *     options. Its comment is ignored. With the first key of a person, the keys that their entry has of other tools are
         *     taken over. A caller who has a second factor needs a step-up.
         */
        post: operations["addPersonSshKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/people/{id}/ssh-keys/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove an SSH key of a person
         * @description It is gone from the directory when the response arrives, or soon after.
         */
        post: operations["removePersonSshKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/roles/{id}/holders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the people who have a role
         * @description A page of these people, including disabled people.
         */
        get: operations["listRoleHolders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/apis/{id}/holders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the people whose roles grant an API entry
         * @description A page of the people who have an enabled role that grants the API entry, including disabled people.
         */
        get: operations["listApiHolders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the service accounts
         * @description All accounts, sorted by name, and where applications find the directory. `lastUsedAt` is known of the embedded
         *     directory. Another directory is asked for it: `lastUseKnown` is false where it does not say.
         */
        get: operations["listServiceAccounts"];
        put?: never;
        /**
         * Create a service account
         * @description Only for a role with `sort` 1, with a step-up. Returns the password. Only this response contains it. Names are
         *     compared without regard to case. A filter is an LDAP filter (RFC 4515); its attributes have to be in the schema
         *     of the directory. An account cannot read passwords and cannot write. With `ntHashes` it reads the NT hashes of
         *     the people that it reads: see `LDAP_NT_HASH`.
         */
        post: operations["createServiceAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-accounts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change a service account
         * @description Only for a role with `sort` 1. An absent field keeps its value. Needs a step-up, except to disable the account
         *     or to change its description. A disabled account cannot bind, and its open connections to the embedded
         *     directory end. A new name is a new DN.
         */
        put: operations["updateServiceAccount"];
        post?: never;
        /**
         * Delete a service account
         * @description Only for a role with `sort` 1. Its entry is removed from the directory.
         */
        delete: operations["removeServiceAccount"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-accounts/{id}/access-rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the access rules of a service account
         * @description The rules for OpenLDAP that limit the account to what it may read, as text to paste. The embedded directory
         *     applies them by itself.
         */
        get: operations["getServiceAccountRules"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-accounts/{id}/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a service account a new password
         * @description Only for a role with `sort` 1, with a step-up. Returns the password. Only this response contains it. The old one
         *     stays valid until `oldUntil`, or until it is ended. With `keepOld` false all earlier ones end now.
         */
        post: operations["rotateServicePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-accounts/{id}/old-password": {
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
         * End the old password of a service account
         * @description Only for a role with `sort` 1. Of two valid passwords the newer one stays. Connections to the embedded directory
         *     that were bound with the old one end.
         */
        delete: operations["endOldServicePassword"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/devices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List devices with all that is known
         * @description Newest first, in pages: `next` is the `cursor` of the next page. Unlike the list of the Security Center API it has
         *     the location, the last heartbeat and exact times.
         */
        get: operations["listDevicesInFull"];
        put?: never;
        /**
         * Register a device
         * @description Returns the token for the device's heartbeats. Only this response contains it; a device that has lost its
         *     token has to be registered again.
         */
        post: operations["registerDevice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/devices/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change the name or the location of a device
         * @description An absent field keeps its value.
         */
        put: operations["updateDevice"];
        post?: never;
        /**
         * Remove a device
         * @description Its token becomes invalid, and its open alerts are marked as handled by `system`.
         */
        delete: operations["removeDevice"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/devices/heartbeat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a heartbeat
         * @description Sent by the device, with its own token in `Authorization: Bearer <token>`. A device that has ever sent a
         *     heartbeat becomes `offline` when it sends none for `DEVICE_TIMEOUT`, and an alert is raised. A battery at 20
         *     per cent or less raises an alert too; `system` marks it as handled when the battery is at 25 per cent again.
         */
        post: operations["sendHeartbeat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in to the web console
         * @description Opens a session and sets its cookie, which scripts cannot read. The response contains no token. Over TLS, or
         *     behind a trusted proxy (`TRUST_PROXY`) that reports https, the cookie is named `__Host-steward` and is
         *     `Secure`; over plain http `secure` is false. The session ends after 12 hours at the latest.
         *
         *     401 with `data: {required, methods}` means that the password is right and that more is required. Repeat the
         *     request with the additional field: for `new_password` it is `newPassword`, because the password was set by an
         *     administrator; for `second_factor` it is `code`, a code of one of the `methods`. A `mail` code is requested
         *     with `POST /console/session/code`.
         *
         *     If `SECOND_FACTOR` requires an authenticator app that the user has not enrolled yet, `required` in the
         *     response is `enrolment`. Until an app is enrolled, the session can only show the profile, enrol an app and
         *     sign out; every other operation is 403 (`auth.enrolment_required`). Such a session ends after 15 minutes.
         *
         *     An unknown user and a wrong password give the same response. Repeated failures of one account or address are
         *     delayed, then locked for 15 minutes: 429, with `Retry-After` and `params.seconds`.
         */
        post: operations["openConsoleSession"];
        /**
         * Sign out of the web console
         * @description Ends the session of the cookie, if there is one, and clears the cookie. Needs the header `X-Steward-Console: 1`.
         */
        delete: operations["closeConsoleSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/session/code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mail a code for the sign-in
         * @description For a user whose second factor has the method `mail`. Username and password are checked as for the sign-in,
         *     and failures count in the same way. The code is valid for 10 minutes and 5 attempts, and replaces an earlier
         *     code.
         */
        post: operations["sendSignInCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a password with a mailed link
         * @description The token is part of the link that `POST /users/{id}/password-reset` mailed. It is valid for 24 hours and can
         *     be used once. It becomes invalid earlier when the user gets another mail address or password, or is disabled.
         *     All sessions of the user end; the user signs in with the new password.
         */
        post: operations["setPasswordByLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show your own profile
         * @description Every signed-in user may call this operation, regardless of their roles.
         */
        get: operations["getMe"];
        /**
         * Change your own profile
         * @description An absent field keeps its value. If a source manages the name, its next run may set it again. The mail address
         *     is changed with `POST /me/mail`.
         */
        put: operations["updateMe"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/mail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mail a code to your new mail address
         * @description The address changes when the code is sent to `POST /me/mail/confirm`. The code is valid for 10 minutes and 5
         *     attempts, and replaces an earlier code. A caller who has a second factor (an app, or the current address)
         *     needs a step-up.
         */
        post: operations["sendMailProof"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/mail/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm your new mail address
         * @description Sets the address that the code was mailed to. A caller who has a second factor needs a step-up. Codes that
         *     were mailed to the earlier address become invalid, and a mail to the earlier address reports the change.
         */
        post: operations["confirmMail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/attributes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show your own declared attributes
         * @description The attributes that the caller may see of themselves.
         */
        get: operations["getMyAttributes"];
        /**
         * Change your own declared attributes
         * @description Only attributes that people may change themselves. An attribute that is absent from `values` keeps its values; an
         *     empty list removes them.
         */
        put: operations["setMyAttributes"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/ssh-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your own SSH keys
         * @description Oldest first.
         */
        get: operations["listMySshKeys"];
        put?: never;
        /**
         * Add an SSH key of your own
         * @description The text is a line of a `.pub` file: ed25519, ecdsa, rsa from 2048 bits on, or a key in a security token, without
         *     options. Its comment is ignored. With the first key of a person, the keys that their entry has of other tools are
         *     taken over. A caller who has a second factor needs a step-up.
         */
        post: operations["addMySshKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/ssh-keys/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove an SSH key of your own
         * @description It is gone from the directory when the response arrives, or soon after.
         */
        post: operations["removeMySshKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/grants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show what you may do
         * @description The operations of all four documents that the caller may call now, by their `operationId`, and the caller's
         *     menus. A granted operation can still refuse some records (a user of higher rank), require a step-up, or
         *     require a role with `sort` 1. Every signed-in user may call this operation, regardless of their roles.
         */
        get: operations["getMyGrants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/{id}/password-reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reset a user's password
         * @description The current password becomes invalid, in Steward and in the directory, and all sessions of the user end. Needs
         *     a step-up. The user has to be of lower rank than the caller.
         *
         *     `link` mails a link to the user, who sets a new password with it. 409 if the user has no mail address. Without
         *     `PUBLIC_URL` the link leads to the address of this request, and the caller has to hold every operation and
         *     attribute that the roles of the user grant (403). `shown` sets a random password and returns it; only this response contains it. The user
         *     has to choose another password at the next sign-in. Because the caller could sign in with it, they have to
         *     hold every operation and attribute that the roles of the user grant (403). 409 for a disabled user.
         */
        post: operations["resetUserPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/password-resets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reset the passwords of many users
         * @description Does what `resetUserPassword` does for up to 100 users, under the same conditions. A user whose password the
         *     caller may not reset is refused with the reason, and the others are reset. With `dryRun` nothing is changed and
         *     no step-up is needed, and the response says what would be changed.
         */
        post: operations["resetUserPasswords"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/{id}/unlock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unlock a user's account
         * @description Deletes the counts of failed sign-ins and wrong codes of the account, and marks the alert about them as
         *     handled. IP addresses stay locked. The user has to be of lower rank than the caller. A caller who has a second
         *     factor needs a step-up.
         */
        post: operations["unlockUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show your own second factor
         * @description Whether an app is enrolled, the methods by which the caller can step up now, and until when this session is stepped up.
         */
        get: operations["getSecondFactor"];
        put?: never;
        post?: never;
        /**
         * Remove your authenticator app
         * @description Needs a step-up. The recovery codes are removed too. Codes are mailed from then on, if the caller has a mail address.
         */
        delete: operations["disableSecondFactor"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/second-factor/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enrol an authenticator app
         * @description Creates a new secret for the app (RFC 6238: SHA-1, 6 digits, 30 seconds) and returns it, also as a QR code;
         *     only this response contains it. The app is enrolled when it is confirmed with its first code; until then,
         *     enrolling again replaces the secret. The caller's password is required; wrong passwords count as failed
         *     sign-ins. A caller who already has a second factor (an app, or a mail address for codes) needs a step-up.
         *     Without a second factor, the password is enough to enrol the first app.
         */
        post: operations["enrolTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/second-factor/totp/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm an authenticator app with its first code
         * @description Returns ten recovery codes; only this response contains them. Each can be used once, if the app is not
         *     available. If enrolling needed a step-up, it has to be within the last 5 minutes here too. Confirming does not
         *     step up the session; the next code of the app can. Codes that were mailed for a step-up become invalid.
         */
        post: operations["confirmTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/second-factor/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace your recovery codes
         * @description Needs a step-up. The old codes become invalid. Only this response contains the new codes.
         */
        post: operations["renewRecoveryCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/{id}/second-factor": {
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
         * Remove a user's authenticator app
         * @description For a user who has lost both the app and the recovery codes. Needs a step-up. The user has to be of lower rank than the caller.
         */
        delete: operations["resetSecondFactor"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/step-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Step this session up
         * @description Proves the second factor with a code of the authenticator app, a recovery code, or a mailed code. Each code
         *     can be used once. The step-up is valid for 5 minutes, and only in this session. Ten wrong codes within 15
         *     minutes lock the second factor for 15 minutes.
         */
        post: operations["stepUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/step-up/mail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mail a code for the step-up
         * @description For a user without an authenticator app. The code is valid only in this session, for 10 minutes and 5
         *     attempts, and only while the user keeps the same mail address. It replaces an earlier code.
         */
        post: operations["sendStepUpCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your own sessions
         * @description The open sessions, the most recently used first; at most 1000.
         */
        get: operations["listOwnSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{sessionId}": {
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
         * End one of your own sessions
         * @description The session of this request can be ended too.
         */
        delete: operations["endOwnSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/{id}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a user's sessions
         * @description The open sessions of a user of lower rank than the caller, the most recently used first; at most 1000.
         */
        get: operations["listUserSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/{id}/sessions/{sessionId}": {
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
         * End one of a user's sessions
         * @description The user has to be of lower rank than the caller.
         */
        delete: operations["endUserSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the process runs
         * @description Checks nothing else. The request is not written to the operation log.
         */
        get: operations["getLiveness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the service is ready for requests
         * @description 503 while the database is not available, its schema is not up to date, or entries of the operation log cannot
         *     be written, so that changes are refused. `field` in `data` then names the cause: `database`, `schema` or
         *     `operationLog`. While the directory is not available, the service is still ready: changes are saved, and the
         *     directory follows later. While Redis is not available, the service is still ready too: `redis` is `away`, each
         *     instance counts the rate limits by itself, and responses are not cached. An instance that is about to stop
         *     responds 503 too, with the reason `service.stopping`, while it still serves what arrives. The request is not
         *     written to the operation log.
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/{id}/page": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a report
         * @description Shows the report at the address that `GET /api/v1/security/report` returned. No sign-in is needed while the
         *     address is valid; after that the response is 404. The page is a complete HTML document without scripts, and
         *     loads nothing.
         */
        get: operations["showReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/backups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List backups with all that is known
         * @description Newest first, in pages: `next` is the `cursor` of the next page. Unlike the list of the Security Center API it has
         *     the backup in progress, who made each backup, why one failed, and exact times. Backups whose files were removed
         *     are not in the list.
         */
        get: operations["listBackupFiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/backups/{id}": {
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
         * Delete a backup
         * @description Removes the file and keeps the record. Needs a step-up (401) and a role with `sort` 1 (403). 409 for a backup in
         *     progress, and for the newest backup that was proven.
         */
        delete: operations["deleteBackup"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/backups/{id}/contents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Verify a backup and show what it contains
         * @description Reads the whole file, decrypts it and compares it with its manifest, as a restore does first. 409 if it cannot be
         *     restored here, with the reason.
         */
        get: operations["getBackupContents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/backups/{id}/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a backup
         * @description The file as it was proven, encrypted if `BACKUP_KEY` was set. Needs a step-up (401) and a role with `sort` 1
         *     (403), because the file holds the password hashes of all users. 404 also if the file is on another instance.
         *     409 for a backup that failed or is still in progress, and if the file on the disk is not the file that was
         *     proven. If the file changes during the transfer, the connection is closed before the end of the file.
         */
        get: operations["downloadBackup"];
        put?: never;
        post?: never;
        delete?: never;
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
         * Format: date-time
         * @description RFC 3339, UTC, with milliseconds
         */
        Timestamp: string;
        /**
         * Format: int64
         * @description How many records there are on all pages
         */
        Total: number;
        /** @enum {string} */
        Slot: "exta" | "extb" | "extc" | "extldap";
        /** @enum {integer} */
        SuccessCode: 200;
        /** @description A text for people; programs must not parse it */
        Message: string;
        /**
         * @description Why the request failed, for programs: `<what refused it>.<why>`. The meaning of a code never changes. New
         *     codes may be added: treat an unknown code by the value of `code`. docs/reasons.md lists all codes with their
         *     texts.
         * @enum {string}
         */
        FailureReason: "service.busy" | "service.client_gone" | "service.database_away" | "service.internal" | "service.invalid" | "service.log_away" | "service.limited" | "service.stopping" | "contract.no_operation" | "contract.no_method" | "contract.path_encoding" | "contract.path_too_long" | "contract.host_missing" | "contract.expectation" | "contract.unreadable" | "contract.not_http" | "contract.timed_out" | "contract.headers_too_large" | "contract.chunk_extensions_too_large" | "contract.body_too_large" | "contract.body_length" | "contract.media_type" | "contract.not_utf8" | "contract.not_json" | "contract.prototype" | "contract.too_deep" | "contract.name_nul" | "contract.name_surrogate" | "contract.required" | "contract.given_twice" | "contract.not_text" | "contract.not_whole_number" | "contract.not_number" | "contract.not_boolean" | "contract.not_object" | "contract.not_list" | "contract.not_null" | "contract.wrong_type" | "contract.not_one_of" | "contract.empty" | "contract.too_short" | "contract.too_long" | "contract.too_few_entries" | "contract.too_many_entries" | "contract.too_few_fields" | "contract.too_many_fields" | "contract.same_entry" | "contract.too_small" | "contract.too_great" | "contract.not_above" | "contract.not_below" | "contract.format" | "contract.pattern" | "contract.rule" | "contract.console_header" | "text.control_characters" | "text.control_characters_but_lines" | "text.nothing_visible" | "text.no_name" | "text.no_text" | "text.no_mail_address" | "text.no_mobile" | "text.no_date" | "text.no_time_of_day" | "text.nul" | "text.surrogate" | "text.password_length" | "text.password_common" | "text.password_known_name" | "db.user_not_found" | "db.group_not_found" | "db.role_not_found" | "db.menu_not_found" | "db.api_not_found" | "db.field_relation_not_found" | "db.group_below_itself" | "db.menu_below_itself" | "db.groups_too_deep" | "db.menus_too_deep" | "db.group_has_groups" | "db.menu_has_menus" | "db.cursor_unusable" | "db.changed_meanwhile" | "access.not_signed_in" | "access.session_over" | "access.not_granted" | "access.roles_lost" | "access.strongest_only" | "access.step_up" | "access.step_up_without_factor" | "access.user_too_strong" | "access.group_users_too_strong" | "access.subtree_users_too_strong" | "access.role_too_strong" | "access.role_holders_too_strong" | "access.last_administrator" | "access.mail_signs_in" | "access.source_fixed" | "access.granted_role_too_strong" | "access.granted_role_beyond" | "access.role_beyond" | "access.api_not_held" | "access.menu_not_held" | "access.administrator_role_fixed" | "access.administrator_role_stays" | "access.administrator_role_grants_all" | "access.role_held" | "access.role_named" | "access.keyword_fixed" | "access.keyword_reserved" | "access.api_fixed" | "access.api_served" | "access.api_granted" | "access.role_name_taken" | "access.role_keyword_taken" | "access.menu_name_taken" | "access.api_taken" | "access.operation_not_found" | "access.link_signs_in" | "access.password_signs_in" | "auth.wrong_credentials" | "auth.token_invalid" | "auth.too_many_attempts" | "auth.wrong_password" | "auth.wrong_mail_code" | "auth.wrong_factor_code" | "auth.session_not_found" | "auth.password_tools_off" | "auth.not_encrypted" | "auth.encrypted_text_void" | "auth.app_not_found" | "auth.user_without_app" | "auth.app_enrolled" | "auth.no_app_enrolled" | "auth.no_app_to_confirm" | "auth.app_key_changed" | "auth.other_step_up_method" | "auth.no_step_up_method" | "auth.second_factor_required" | "auth.new_password_required" | "auth.same_password" | "auth.no_code_asked" | "auth.no_mailed_code" | "auth.enrolment_required" | "auth.enrolment_late" | "auth.link_void" | "auth.session_signed_out" | "auth.session_ended_password" | "auth.session_ended_disabled" | "auth.session_ended_theft" | "auth.session_ended_elsewhere" | "auth.session_ended_restore" | "auth.session_too_old" | "people.username_taken" | "people.mail_taken" | "people.mobile_taken" | "people.job_number_taken" | "people.source_taken" | "people.group_name_taken" | "people.group_name_reserved" | "people.cannot_delete_self" | "people.cannot_disable_self" | "people.user_gone" | "people.password_changed" | "people.needed_for_action" | "people.user_disabled" | "people.user_without_mail" | "people.attribute_not_found" | "people.attribute_taken" | "people.attribute_reserved" | "people.attribute_bounds" | "people.attribute_limit" | "people.attribute_unknown" | "people.attribute_fixed" | "people.ldap_attribute_taken" | "people.ldap_unfit" | "people.value_characters" | "people.value_not_ascii" | "people.value_not_boolean" | "people.value_not_date" | "people.value_not_integer" | "people.value_single" | "people.value_too_large" | "people.value_too_long" | "people.value_too_many" | "people.value_too_short" | "people.value_too_small" | "people.posix_off" | "people.posix_number_kept" | "people.posix_number_reserved" | "people.posix_number_taken" | "people.ssh_key_broken" | "people.ssh_key_private" | "people.ssh_key_options" | "people.ssh_key_type" | "people.ssh_key_short" | "people.ssh_key_known" | "people.ssh_key_not_found" | "people.ssh_key_limit" | "people.mail_proof_used" | "mirror.directory_unavailable" | "mirror.directory_silent" | "mirror.no_directory" | "mirror.names_or_filter" | "mirror.filter_required" | "mirror.hash_required" | "mirror.too_many_entries" | "mirror.dn_unreadable" | "mirror.entry_not_found" | "mirror.entry_of_record" | "mirror.not_adoptable" | "mirror.no_such_directory" | "mirror.layout_in_effect" | "mirror.layout_outdated" | "mirror.layout_held" | "mirror.layout_blocked" | "mirror.preview_outdated" | "mirror.entry_found_meanwhile" | "sync.run_not_found" | "sync.run_not_held" | "sync.run_not_held_any_more" | "sync.other_plan" | "sync.plan_outdated" | "sync.plan_too_strong" | "sync.run_failed" | "sync.scheduled_run_failed" | "sync.snapshot_lost" | "sync.source_busy" | "sync.source_taken" | "sync.source_silent" | "sync.source_failed" | "sync.exta_not_configured" | "sync.extb_not_configured" | "sync.extc_not_configured" | "sync.extldap_not_configured" | "sync.relation_deleted" | "sync.relation_unusable" | "sync.flag_taken" | "sync.unknown_field" | "sync.field_required" | "sync.expression" | "sync.records_hidden" | "services.account_not_found" | "services.name_taken" | "services.account_limit" | "services.filter_syntax" | "services.filter_attribute" | "services.two_passwords" | "services.no_old_password" | "services.until_past" | "devices.device_not_found" | "devices.unknown_token" | "devices.name_taken" | "backups.backup_not_found" | "backups.not_usable" | "backups.file_removed" | "backups.file_elsewhere" | "backups.not_downloadable" | "backups.not_removable" | "backups.newest_kept" | "backups.in_progress" | "backups.not_restorable" | "backups.safety_failed" | "backups.tables_busy" | "backups.failed" | "backups.path_outside" | "posture.not_ready" | "posture.database_silent" | "posture.database_disk" | "posture.database_memory" | "posture.database_connections" | "posture.database_changes" | "posture.schema_outdated" | "posture.log_stuck" | "posture.report_not_found" | "audit.entry_not_found" | "diet.plan_not_found" | "diet.meal_not_found" | "diet.recipe_not_found" | "diet.amount" | "diet.allergen" | "diet.required_without_recipe" | "diet.only_with_recipe" | "diet.not_with_recipe" | "live.work_not_found" | "live.kind_required" | "live.too_many_streams" | "live.streams_full";
        /**
         * @description The values in the text of the reason, by name; numbers are strings too. Empty if the text has no values. A value
         *     that can itself be translated is there a second time, under its name with `.0`, as the JSON of a statement
         *     `{code, params, text}`.
         */
        ReasonValues: {
            [key: string]: string;
        };
        /** @description The fields at fault, or null */
        FieldProblems: components["schemas"]["FieldProblem"][] | null;
        FieldProblem: {
            /** @description The field's path, such as `password` or `attributes.mail` */
            field: string;
            message: string;
            reason: components["schemas"]["FailureReason"];
            params: components["schemas"]["ReasonValues"];
        };
        SearchText: string;
        /** @enum {string} */
        PeopleOrder: "username" | "name" | "status" | "createdAt" | "updatedAt";
        /** @enum {string} */
        SortDirection: "asc" | "desc";
        /**
         * @description `disabled`: cannot sign in, and the directory entry is parked
         * @enum {string}
         */
        PersonStatus: "enabled" | "disabled";
        /**
         * @description Whether the directory holds the record. `waiting`: a change is not in the directory yet. `refused`: the
         *     directory refused the entry; it is retried after a change of the record or of the directory, and once a day.
         * @enum {string}
         */
        EntrySync: "synced" | "waiting" | "refused";
        SyncState: {
            state: components["schemas"]["EntrySync"];
            /** @description Why the entry is not equal to the record; null if it is equal */
            reason: string | null;
            stated: components["schemas"]["StatementOrNull"];
        };
        /** @description Whether the caller's rank allows a change of this record */
        Access: {
            change: boolean;
            /** @description The code of the reason for which a change would be refused; null if it would not be refused */
            reason: string | null;
        };
        NamedRecord: {
            id: components["schemas"]["Id"];
            name: string;
        };
        /** @description Changes with every change of the record. Send it as `version` of an update, which is then refused if the record was changed since it was read */
        RecordVersion: string;
        /** @description The `cursor` of this page; null without a further page. Where the records of a page are gone by now, it has none, and the page that it was reached from is in the other direction */
        CursorText: string | null;
        /** @description How many records there are on all pages; 10000 if there are more */
        CappedTotal: number;
        PersonSummary: {
            id: components["schemas"]["Id"];
            username: string;
            /** @description The nickname of the Directory Administration API */
            name: string;
            mail: string;
            mobile: string;
            jobNumber: string;
            status: components["schemas"]["PersonStatus"];
            /** @description The departments and groups they belong to, sorted by name */
            departments: components["schemas"]["NamedRecord"][];
            /** @description The highest rank first; disabled roles included */
            roles: components["schemas"]["NamedRecord"][];
            /** @description The source they were imported from; empty for people who were not imported */
            source: string;
            sync: components["schemas"]["SyncState"];
            /**
             * Format: date-time
             * @description The start of the newest session that is still stored; null without such a session
             */
            lastSignInAt: string | null;
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
            attributes: components["schemas"]["ShownValues"];
            access: components["schemas"]["Access"];
        };
        /** @description The values of the attributes that `show` names, by name; without those that have no value */
        ShownValues: {
            [key: string]: string[];
        };
        ListedAttribute: {
            name: components["schemas"]["AttributeName"];
            labels: components["schemas"]["AttributeLabels"];
            type: components["schemas"]["AttributeType"];
            multiple: boolean;
        };
        /** @description The declared attributes that the caller may see, sorted by name. `attribute` and `show` take their names; a list without these parameters does not have them. */
        ListedAttributes: components["schemas"]["ListedAttribute"][];
        PersonList: {
            total: components["schemas"]["CappedTotal"];
            /** @description false if there are more than `total` */
            totalIsExact: boolean;
            next: components["schemas"]["CursorText"];
            previous: components["schemas"]["CursorText"];
            attributes?: components["schemas"]["ListedAttributes"];
            people: components["schemas"]["PersonSummary"][];
        };
        PersonGroup: {
            id: components["schemas"]["Id"];
            name: string;
            type: components["schemas"]["DepartmentType"];
        };
        PersonRole: {
            id: components["schemas"]["Id"];
            name: string;
            keyword: string;
            /** @description The rank; a smaller number is a higher rank */
            sort: number;
            /** @enum {string} */
            status: "enabled" | "disabled";
        };
        /** @description A directory entry */
        EntryState: {
            /** @description The DN at which the entry was last written; empty before the first write */
            dn: string;
            state: components["schemas"]["EntrySync"];
            /**
             * Format: date-time
             * @description Since when a withdrawal (a change that takes something away from the person, such as a membership or the sign-in) waits for the directory; null if none waits
             */
            waitingSince: string | null;
            /**
             * Format: date-time
             * @description The last attempt to write the entry
             */
            triedAt: string | null;
            /**
             * Format: date-time
             * @description The next attempt; null if the entry is synced or refused
             */
            nextTryAt: string | null;
            /** @description The error of the directory, or why no attempt was made */
            error: string | null;
            stated: components["schemas"]["StatementOrNull"];
            cure: components["schemas"]["EntryCure"];
        };
        /**
         * @description What has to be done so that the entry gets into the directory. `wait`: nothing, it is retried automatically.
         *     `adopt_orphan`: an orphan entry has its DN; adopt this entry, or remove it from the directory.
         *     `change_record`: the directory refuses the content of the record; change the record or the directory, then
         *     retry. `configure_directory`: no directory is configured.
         * @enum {string|null}
         */
        EntryCure: "wait" | "adopt_orphan" | "change_record" | "configure_directory" | null;
        Person: {
            id: components["schemas"]["Id"];
            username: string;
            /** @description The nickname of the Directory Administration API */
            name: string;
            givenName: string;
            mail: string;
            mobile: string;
            jobNumber: string;
            position: string;
            postalAddress: string;
            introduction: string;
            avatar: string;
            /** @description The text that was set as `departments`; if empty, the names of the groups are shown */
            departmentsText: string;
            status: components["schemas"]["PersonStatus"];
            groups: components["schemas"]["PersonGroup"][];
            roles: components["schemas"]["PersonRole"][];
            source: string;
            sourceUserId: string;
            sourceUnionId: string;
            creator: string;
            entry: components["schemas"]["EntryState"];
            /** Format: date-time */
            lastSignInAt: string | null;
            /**
             * Format: date-time
             * @description Until when sign-ins are refused after too many failures; null if the account is not locked
             */
            lockedUntil: string | null;
            /** @description Whether an authenticator app is enrolled and confirmed */
            secondFactor: boolean;
            /** @description The number of open sessions */
            sessions: number;
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
            version: components["schemas"]["RecordVersion"];
            access: components["schemas"]["Access"];
        };
        /** @enum {string} */
        PeopleAction: "enable" | "disable" | "move" | "addRoles" | "removeRoles" | "addGroups" | "removeGroups" | "sync" | "delete";
        ChangePeople: {
            action: components["schemas"]["PeopleAction"];
            ids: components["schemas"]["Id"][];
            /** @description Required for `addRoles` and `removeRoles` */
            roleIds?: components["schemas"]["Id"][];
            /** @description Required for `addGroups` and `removeGroups` */
            groupIds?: components["schemas"]["Id"][];
            from?: components["schemas"]["Id"];
            to?: components["schemas"]["Id"];
            /** @description Whether to return what would be changed without changing anything */
            dryRun?: boolean;
        };
        /**
         * @description `unchanged`: the action had nothing to change
         * @enum {string}
         */
        PersonResult: "changed" | "unchanged" | "refused";
        PersonChanged: {
            id: components["schemas"]["Id"];
            /** @description Empty if the person does not exist */
            name: string;
            result: components["schemas"]["PersonResult"];
            /** @description The code of the reason for a refusal */
            reason: string | null;
            params: components["schemas"]["ReasonValues"];
            /** @description The text of the reason */
            message: string | null;
            stated?: components["schemas"]["StatementOrNull"];
        };
        ChangeEffect: {
            changed: number;
            unchanged: number;
            refused: number;
            /** @description Sessions that end with the change */
            sessionsEnded: number;
            /** @description Memberships in groups that end with the change */
            membershipsEnded: number;
            membershipsAdded: number;
            /** @description How many of the changed people have a role of `sort` 1 */
            administrators: number;
        };
        PeopleChanged: {
            dryRun: boolean;
            effect: components["schemas"]["ChangeEffect"];
            /** @description In the order of `ids` */
            people: components["schemas"]["PersonChanged"][];
        };
        /**
         * @description `ou`: an organizational unit (`organizationalUnit`), which has no members in the directory; `cn`: a group (`groupOfNames`)
         * @enum {string}
         */
        DepartmentType: "ou" | "cn";
        DepartmentStep: {
            id: components["schemas"]["Id"];
            name: string;
            type: components["schemas"]["DepartmentType"];
        };
        Department: {
            id: components["schemas"]["Id"];
            name: string;
            type: components["schemas"]["DepartmentType"];
            /** @description The DN at which the entry was last written; empty before the first write */
            dn: string;
            /**
             * Format: int64
             * @description The id of the department above it; null at the top
             */
            parent: number | null;
            remark: string;
            /** @description The source it was imported from; empty if it was not imported */
            source: string;
            /** @description Departments and groups directly below it */
            childCount: number;
            hasChildren: boolean;
            /** @description Direct members */
            memberCount: number;
            sync: components["schemas"]["SyncState"];
            version: components["schemas"]["RecordVersion"];
            attributes: components["schemas"]["ShownValues"];
            access: components["schemas"]["Access"];
            /** @description The departments from the top to this one; null in a list without a search */
            path: components["schemas"]["DepartmentStep"][] | null;
        };
        DepartmentList: {
            total: components["schemas"]["CappedTotal"];
            /** @description false if there are more than `total` */
            totalIsExact: boolean;
            next: components["schemas"]["CursorText"];
            previous: components["schemas"]["CursorText"];
            attributes: components["schemas"]["ListedAttributes"];
            departments: components["schemas"]["Department"][];
        };
        MoveDepartment: {
            /**
             * Format: int64
             * @description The id of the new parent; null to move it to the top
             */
            parent: number | null;
            /** @description Whether to return what would be changed without changing anything */
            dryRun?: boolean;
            version?: components["schemas"]["RecordVersion"];
        };
        DepartmentMove: {
            dryRun: boolean;
            /** @description How many departments and groups move, including this one */
            departments: number;
            /** @description How many people are members of them */
            people: number;
            obstacle: components["schemas"]["Obstacle"];
        };
        /** @description Why the move would be refused, in the response to a dry run; null if it would not be refused */
        Obstacle: {
            reason: components["schemas"]["FailureReason"];
            params: components["schemas"]["ReasonValues"];
            message: components["schemas"]["Message"];
        } | null;
        /**
         * @description Whose attribute it is
         * @enum {string}
         */
        AttributeKind: "user" | "group";
        /**
         * @description `text`: one line; `integer`: a whole number; `boolean`: `true` or `false`; `date`: such as `2026-11-23`
         * @enum {string}
         */
        AttributeType: "text" | "integer" | "boolean" | "date";
        /** @description By which requests, filters and field relations name it. It cannot be changed */
        AttributeName: string;
        AttributeLabel: string;
        /** @description What forms show */
        AttributeLabels: {
            en: components["schemas"]["AttributeLabel"];
            "zh-CN": components["schemas"]["AttributeLabel"];
        };
        /** @description Of an integer itself, of the characters of a text; null for the widest. Other types have no bounds */
        AttributeBound: number | null;
        /**
         * @description What people may do with their own values. Of a group it has no effect
         * @enum {string}
         */
        OwnUse: "hidden" | "see" | "edit";
        /** @description Ids of roles. Empty for every caller who may see or change the record; a role with `sort` 1 may always */
        AttributeRoles: components["schemas"]["Id"][];
        /** @description A name in the directory's schema; empty for none */
        LdapName: string;
        Attribute: {
            /** Format: int64 */
            id: number;
            kind: components["schemas"]["AttributeKind"];
            name: components["schemas"]["AttributeName"];
            labels: components["schemas"]["AttributeLabels"];
            type: components["schemas"]["AttributeType"];
            /** @description Whether it has several values */
            multiple: boolean;
            minimum: components["schemas"]["AttributeBound"];
            maximum: components["schemas"]["AttributeBound"];
            /** @description Whether the search of the lists covers it */
            searched: boolean;
            own: components["schemas"]["OwnUse"];
            seeRoles: components["schemas"]["AttributeRoles"];
            editRoles: components["schemas"]["AttributeRoles"];
            ldapAttribute: components["schemas"]["LdapName"];
            objectClass: components["schemas"]["LdapName"];
            creator: string;
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
            version: components["schemas"]["RecordVersion"];
        };
        AttributeList: {
            attributes: components["schemas"]["Attribute"][];
        };
        DeclareAttribute: {
            kind: components["schemas"]["AttributeKind"];
            name: components["schemas"]["AttributeName"];
            labels: components["schemas"]["AttributeLabels"];
            type: components["schemas"]["AttributeType"];
            /** @description `false` if absent. It cannot be changed */
            multiple?: boolean;
            minimum?: components["schemas"]["AttributeBound"];
            maximum?: components["schemas"]["AttributeBound"];
            /** @description `false` if absent */
            searched?: boolean;
            own?: components["schemas"]["OwnUse"];
            seeRoles?: components["schemas"]["AttributeRoles"];
            editRoles?: components["schemas"]["AttributeRoles"];
            ldapAttribute?: components["schemas"]["LdapName"];
            objectClass?: components["schemas"]["LdapName"];
            /** @description Whether to check it without declaring it */
            dryRun?: boolean;
        };
        UpdateAttribute: {
            labels?: components["schemas"]["AttributeLabels"];
            minimum?: components["schemas"]["AttributeBound"];
            maximum?: components["schemas"]["AttributeBound"];
            searched?: boolean;
            own?: components["schemas"]["OwnUse"];
            seeRoles?: components["schemas"]["AttributeRoles"];
            editRoles?: components["schemas"]["AttributeRoles"];
            ldapAttribute?: components["schemas"]["LdapName"];
            objectClass?: components["schemas"]["LdapName"];
            version?: components["schemas"]["RecordVersion"];
        };
        AttributeRemoved: {
            /** @description How many people or groups had a value */
            records: number;
        };
        AttributeValue: string;
        ValuesOfAttribute: {
            name: components["schemas"]["AttributeName"];
            labels: components["schemas"]["AttributeLabels"];
            type: components["schemas"]["AttributeType"];
            multiple: boolean;
            minimum: components["schemas"]["AttributeBound"];
            maximum: components["schemas"]["AttributeBound"];
            values: string[];
            /** @description Whether the caller may change it */
            change: boolean;
        };
        AttributeValues: {
            version: components["schemas"]["RecordVersion"];
            attributes: components["schemas"]["ValuesOfAttribute"][];
        };
        SetAttributeValues: {
            /** @description Lists of values by the names of attributes */
            values: {
                [key: string]: components["schemas"]["AttributeValue"][];
            };
            version?: components["schemas"]["RecordVersion"];
        };
        /** Format: int64 */
        PosixNumber: number;
        /**
         * @description The setting `POSIX_ACCOUNTS`: no person has an account, the members of groups that are switched on, or everyone
         * @enum {string}
         */
        PosixAccounts: "off" | "groups" | "all";
        PosixAccount: {
            accounts: components["schemas"]["PosixAccounts"];
            /** @description Whether the directory shows it while the person is enabled */
            enabled: boolean;
            /** @description Empty before the person has a number */
            uidNumber: string;
            gidNumber: string;
            homeDirectory: string;
            loginShell: string;
            gecos: string;
        };
        PosixGroup: {
            accounts: components["schemas"]["PosixAccounts"];
            /** @description Whether it was switched on for this group */
            switchedOn: boolean;
            /** @description Whether the directory shows it: also where `LDAP_GROUP_CLASS` makes every group a POSIX group */
            enabled: boolean;
            /** @description Empty before the group has a number */
            gidNumber: string;
        };
        SetPosixNumber: {
            number: components["schemas"]["PosixNumber"];
        };
        SetPosixGroup: {
            /** @description Has no effect where `POSIX_ACCOUNTS` is `all` */
            enabled?: boolean;
            number?: components["schemas"]["PosixNumber"];
        };
        SshKey: {
            name: string;
            type: string;
            bits: number;
            /** @description As `ssh-keygen -l` shows it */
            fingerprint: string;
            addedAt: components["schemas"]["Timestamp"];
        };
        SshKeyList: {
            keys: components["schemas"]["SshKey"][];
            /** @description Whether the next key takes over those that the entry has of other tools: the person never had a key here */
            takesOver: boolean;
        };
        AddSshKey: {
            name: string;
            /** @description One public key */
            key: string;
        };
        RemoveSshKey: {
            fingerprint: string;
        };
        OperationName: string;
        GrantedPerson: {
            id: components["schemas"]["Id"];
            username: string;
            status: components["schemas"]["PersonStatus"];
        };
        Grant: {
            /** @description The `operationId` */
            operation: string;
            document: string;
            method: string;
            /** @description Relative to `/api` */
            path: string;
            summary: string;
            /**
             * Format: int64
             * @description The id of its API entry
             */
            apiId: number | null;
            granted: boolean;
            /** @description Whether every signed-in user may call it */
            always: boolean;
            /** @description The roles of the person that grant it */
            roles: components["schemas"]["NamedRecord"][];
            missing: components["schemas"]["MissingGrant"];
            /** @description Roles of the person that would grant it if they were enabled */
            disabledRoles: components["schemas"]["NamedRecord"][];
            /** @description If it is not granted, the first 20 enabled roles that grant it */
            grantingRoles: components["schemas"]["NamedRecord"][];
        };
        /**
         * @description Why it is not granted; null if it is granted
         * @enum {string|null}
         */
        MissingGrant: "person_disabled" | "role_disabled" | "no_role" | null;
        GrantList: {
            person: components["schemas"]["GrantedPerson"];
            operations: components["schemas"]["Grant"][];
        };
        /**
         * @description The slot, or `sql` for a comparison of the records with the directory
         * @enum {string}
         */
        RunSource: "sql" | "exta" | "extb" | "extc" | "extldap";
        /** @enum {string} */
        RunKind: "users" | "groups";
        /**
         * @description `held`: the plan, or a part of it, was not applied and waits for a confirmation. `planned`: a dry run that has
         *     ended. `discarded`: the held plan was discarded, or a newer run replaced it.
         * @enum {string}
         */
        RunState: "running" | "done" | "held" | "failed" | "planned" | "discarded";
        RunSummary: {
            runId: components["schemas"]["Id"];
            source: components["schemas"]["RunSource"];
            kind: components["schemas"]["RunKind"];
            state: components["schemas"]["RunState"];
            /** @description Whether the run only makes a plan and changes nothing */
            dryRun: boolean;
            startedAt: components["schemas"]["Timestamp"];
            /**
             * Format: date-time
             * @description null while the run is in progress
             */
            finishedAt: string | null;
            /** @description `reading`, `planning`, `applying` or `mirroring`, of a comparison `reading` or `comparing`; empty once it has ended */
            phase: string;
            /** @description Records that this phase has processed */
            progress: number;
            /** @description The number of records in this phase; null while it is not known */
            progressOf: number | null;
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
            /** @description The SHA-256 of the plan, in hex; empty until the plan is complete */
            planHash: string;
            /** @description Why the plan is held, one sentence for each cause */
            heldBecause: string[];
            /** @description The same causes, in a form that can be translated; runs of earlier versions have none */
            heldStatements?: components["schemas"]["Statement"][];
            /** @description What is known to be missing in the snapshot, one sentence each */
            gaps: string[];
            /** @description The same gaps, in a form that can be translated; runs of earlier versions have none */
            gapStatements?: components["schemas"]["Statement"][];
            /** @description The username of the user who started it, or `schedule`, or `terminal` (npm run sync) */
            creator: string;
            /** @description The username of the user who confirmed or discarded the plan; `run <id>` if a newer run replaced it */
            decidedBy: string;
            /** Format: date-time */
            decidedAt: string | null;
        };
        Run: components["schemas"]["RunSummary"] & {
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
        /** @description What a report says, in a form that can be translated. The reports of earlier versions have the text alone */
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
        /** @description A statement as above, or null if there is nothing to say */
        StatementOrNull: {
            code: string;
            params: {
                [key: string]: unknown;
            };
            text: string;
        } | null;
        RunList: {
            total: components["schemas"]["Total"];
            runs: components["schemas"]["RunSummary"][];
        };
        /** @enum {string} */
        ChangeAction: "add" | "update" | "move" | "enable" | "disable" | "remove";
        /** @enum {string} */
        ChangeState: "planned" | "done" | "failed" | "held";
        Change: {
            /** @description Its place in the plan, from 1 */
            seq: number;
            action: components["schemas"]["ChangeAction"];
            /** @description The record's id at the source */
            sourceId: string;
            /**
             * Format: int64
             * @description The id of the user or group; null until the record is added
             */
            recordId: number | null;
            /** @description The username or the group's name */
            name: string;
            before: components["schemas"]["ChangedFields"];
            after: components["schemas"]["ChangedFields"];
            state: components["schemas"]["ChangeState"];
            /** @description Why it failed or is held, or what else is to be said of it; otherwise empty */
            reason: string;
            stated?: components["schemas"]["StatementOrNull"];
        };
        /**
         * @description The fields that change. A value is a string, a number, null, or for `memberOf` a list of the ids of groups;
         *     `parent` is the id of the department's parent at the source. In the dry run of a comparison with the directory
         *     the fields are `dn` and the attributes of the entry: a text, a list of texts, or null. Of a long list, the first
         *     values are there and their number; `***` stands for a password and for what other programs wrote.
         *     `***` also stands for the value of a declared attribute that the caller may not see.
         */
        ChangedFields: {
            [key: string]: unknown;
        };
        ChangeList: {
            total: components["schemas"]["Total"];
            changes: components["schemas"]["Change"][];
        };
        ConfirmRun: {
            /** @description The hash of the plan that the caller has looked at */
            planHash: string;
        };
        /**
         * @description `refused`: a code from 400 to 499; `failed`: a code of 500 or more
         * @enum {string}
         */
        LogResult: "success" | "refused" | "failed";
        LogEntry: {
            id: components["schemas"]["Id"];
            /** @description The caller; empty where no user was signed in */
            username: string;
            /**
             * Format: int64
             * @description The id of the user who has this username now; null if no user has it
             */
            userId: number | null;
            ip: string;
            /** @description `SEAL` marks an entry that the log wrote about itself, such as a deletion */
            method: string;
            /** @description Relative to `/api`, in the same form as in API entries */
            path: string;
            /** @description What the operation does */
            remark: string;
            /** @description The envelope's code */
            status: number;
            result: components["schemas"]["LogResult"];
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
            /** @description `true`: the request had `dryRun`, and changed nothing */
            preview: boolean;
        };
        LogEntryDetail: components["schemas"]["LogEntry"] & {
            /** @description The id of the key, and the keyed hash of the entry */
            hash: string;
            /** @description The hash of the entry before it; empty if that entry was removed or does not exist */
            previousHash: string;
            /** @description The operation, if the documents have it; otherwise null, also for entries that the log wrote about itself */
            operationId: string | null;
            /** @description The records of `target` */
            touched: components["schemas"]["TouchedRecord"][];
        };
        TouchedRecord: {
            /**
             * @description `record` if the operation takes ids of several kinds
             * @enum {string}
             */
            kind: "user" | "group" | "role" | "menu" | "api" | "fieldRelation" | "logEntry" | "run" | "backup" | "alert" | "device" | "serviceAccount" | "attribute" | "meal" | "record";
            id: components["schemas"]["Id"];
            /** @description The current name; null if the record was deleted or has no name */
            name: string | null;
        };
        LogPage: {
            entries: components["schemas"]["LogEntry"][];
            /**
             * Format: int64
             * @description The `cursor` of the next page; null on the last page
             */
            next: number | null;
        };
        LogHead: {
            /**
             * Format: int64
             * @description The place of the newest entry; 0 for an empty log
             */
            seq: number;
            hash: string;
        };
        LogBreak: {
            /** Format: int64 */
            seq: number;
            /** @enum {string} */
            what: "changed" | "removed" | "inserted" | "hidden" | "end";
            message: string;
        };
        LogUnchecked: {
            count: number;
            /** Format: int64 */
            first: number;
            /** Format: int64 */
            last: number;
            keyId: string;
        };
        LogGap: {
            /** Format: int64 */
            seq: number;
            message: string;
        };
        LogVerification: {
            id: components["schemas"]["Id"];
            startedAt: components["schemas"]["Timestamp"];
            finishedAt: components["schemas"]["Timestamp"];
            creator: string;
            /** @description The last entry that was checked; absent if the verification failed */
            head?: components["schemas"]["LogHead"];
            /** @description Entries that were checked and are unchanged */
            checked: number;
            /** @description The first place where the log was changed after it was written; absent if no place was changed */
            broken?: components["schemas"]["LogBreak"];
            /** @description The oldest entries, if their key is not known, so that they could not be checked; otherwise absent */
            unchecked?: components["schemas"]["LogUnchecked"];
            /** @description The newest 100 places where the log itself records that entries were lost */
            gaps: components["schemas"]["LogGap"][];
            /** @description Why the verification could not be completed; empty if it was completed */
            failure: string;
        };
        LogChain: {
            head: components["schemas"]["LogHead"] & {
                /**
                 * Format: date-time
                 * @description When the newest entry's request began
                 */
                at: string | null;
            };
            /**
             * Format: int64
             * @description The place of the oldest entry that is kept; 0 for an empty log
             */
            first: number;
            /**
             * Format: int64
             * @description The number of entries in the chain, including deleted entries that are still kept
             */
            entries: number;
            /** @description Entries that this instance cannot write now */
            waiting: number;
            /**
             * @description The result of the last completed verification. `incomplete`: no entry was changed, but some could not be
             *     checked or are known to be lost. `unknown`: no verification was completed yet.
             * @enum {string}
             */
            state: "unknown" | "intact" | "incomplete" | "broken";
            /** @description The last verification that ended; absent before the first */
            verification?: components["schemas"]["LogVerification"];
            /** @description The verification in progress; otherwise absent */
            running?: components["schemas"]["Work"];
        };
        /**
         * @description `check`: a security check; `verification`: a verification of the operation log
         * @enum {string}
         */
        WorkKind: "run" | "backup" | "restore" | "check" | "verification";
        /** @description `source`, `runKind` and `dryRun` are present only for a run */
        Work: {
            kind: components["schemas"]["WorkKind"];
            /**
             * Format: int64
             * @description Unique within the kind; for a run its `runId`
             */
            id: number;
            state: components["schemas"]["RunState"];
            /**
             * @description The current phase, such as `reading`, `planning`, `applying`, `mirroring` (a run), `writing`, `proving` (a
             *     backup), `verifying`, `safety`, `loading` (a restore); empty once the work has ended
             */
            phase: string;
            /**
             * Format: int64
             * @description Records, rows or entries that this phase has processed
             */
            done: number;
            /**
             * Format: int64
             * @description Their number; null while it is not known
             */
            total: number | null;
            creator: string;
            startedAt: components["schemas"]["Timestamp"];
            /**
             * Format: date-time
             * @description null while it is in progress
             */
            finishedAt: string | null;
            /** @description Why it failed or is held; otherwise empty */
            message: string;
            source?: components["schemas"]["RunSource"];
            runKind?: components["schemas"]["RunKind"];
            /** @description Only for a run */
            dryRun?: boolean;
            /**
             * Format: int64
             * @description The backup that is made or restored, if it has a record
             */
            backupId?: number;
        };
        ProgressSnapshot: {
            at: components["schemas"]["Timestamp"];
            /** @description Newest first, at most 100 */
            work: components["schemas"]["Work"][];
        };
        Notice: {
            /** @description Identifies the notice: an unknown key means a new notice */
            key: string;
            /** @enum {string} */
            kind: "alert" | "heldRun" | "lockedAccount";
            /**
             * Format: int64
             * @description The id of the alert, the run or the user; null for a locked account that does not belong to a user
             */
            id: number | null;
            /** @description In English */
            title: string;
            /** @description In English */
            detail: string;
            stated?: components["schemas"]["StatementOrNull"];
            /** @description The rule that raised an alert; empty for an alert of an earlier release and for other kinds */
            rule: string;
            /** @description The values for a text in another language: those of the rule of an alert, `source` and `kind` of a held run, `username` and `until` of a locked account */
            params: {
                [key: string]: string;
            };
            since: components["schemas"]["Timestamp"];
            /** @description How often the cause of an alert has occurred */
            times: number;
        };
        NoticeList: {
            at: components["schemas"]["Timestamp"];
            total: components["schemas"]["Total"];
            counts: {
                alert: number;
                heldRun: number;
                lockedAccount: number;
            };
            /** @description Newest first, at most 50 */
            notices: components["schemas"]["Notice"][];
        };
        Overview: {
            at: components["schemas"]["Timestamp"];
            people: {
                enabled: number;
                disabled: number;
            };
            /** @description Groups that a source manages */
            departments: number;
            /** @description All other groups */
            groups: number;
            /** @description Open alerts, by level */
            alerts: {
                info: number;
                warning: number;
                danger: number;
            };
            runs: {
                held: number;
                running: number;
            };
            directory: {
                /** @enum {string} */
                kind: "none" | "embedded" | "external";
                /** @description Records whose entries are equal to them */
                inStep: number;
                /** @description Records with a change that is not in the directory yet */
                waiting: number;
                /** @description Records that the directory refused */
                refused: number;
                /**
                 * Format: date-time
                 * @description Since when the oldest waiting or refused record waits
                 */
                oldestWaitingAt: string | null;
            };
            /** @description The last run of each source and kind, without dry runs */
            sources: components["schemas"]["LastRun"][];
            /** @description The newest backup, with any status; absent before the first backup */
            lastBackup?: components["schemas"]["LastBackup"];
            /**
             * @description What happened last, newest first, at most 20; without what the caller may not read elsewhere (the log, runs,
             *     alerts, backups)
             */
            lately: components["schemas"]["Happening"][];
            /** @description The newest 10 sign-ins */
            signIns: components["schemas"]["SignIn"][];
            /** @description The score of the last security check; absent before the first check */
            score?: components["schemas"]["MeasuredScore"];
        };
        /** @description Besides these fields it has one with the name of its `kind` */
        Happening: {
            /**
             * @description `change`: a successful request that changed people, groups, roles, permissions, field relations, declared
             *     attributes, service accounts, devices or alerts, among the newest 2000 that changed anything. `run`: a run,
             *     among the newest 500; without dry runs, and without scheduled runs that found no difference.
             * @enum {string}
             */
            kind: "change" | "run" | "alert" | "backup" | "restore";
            /**
             * Format: int64
             * @description The id of the log entry, the run, the alert or the backup; of a restore: of its work, as in `GET /progress`
             */
            id: number;
            at: components["schemas"]["Timestamp"];
            /** @description Who did it: a username, `schedule` or `terminal`; empty for an alert */
            by: string;
            change?: components["schemas"]["HappenedChange"];
            run?: components["schemas"]["HappenedRun"];
            alert?: components["schemas"]["HappenedAlert"];
            backup?: components["schemas"]["HappenedBackup"];
            restore?: components["schemas"]["HappenedRestore"];
        };
        HappenedChange: {
            method: string;
            /** @description Relative to `/api`, as in an API entry */
            path: string;
            /** @description The summary of the operation */
            remark: string;
            /** @description The first record that the request names */
            touched: components["schemas"]["TouchedRecord"];
            /** @description How many records of this kind the request names */
            records: number;
        };
        HappenedRun: {
            source: components["schemas"]["RunSource"];
            kind: components["schemas"]["RunKind"];
            state: components["schemas"]["RunState"];
            added: number;
            updated: number;
            moved: number;
            disabled: number;
            failed: number;
            held: number;
        };
        HappenedAlert: {
            level: components["schemas"]["AlertLevel"];
            /** @description In English */
            title: string;
            /** @description In English */
            description: string;
            /** @description The rule that raised it; empty for an alert of an earlier release */
            rule: string;
            /** @description The values for a text in another language */
            params: {
                [key: string]: string;
            };
            /** Format: date-time */
            handledAt: string | null;
        };
        HappenedBackup: {
            /** @enum {string} */
            status: "running" | "success" | "failed";
        };
        HappenedRestore: {
            /** @enum {string} */
            state: "running" | "done" | "failed";
            /**
             * Format: int64
             * @description null: the file was given on a terminal
             */
            backupId: number | null;
        };
        LastRun: {
            source: components["schemas"]["Slot"];
            kind: components["schemas"]["RunKind"];
            runId: components["schemas"]["Id"];
            state: components["schemas"]["RunState"];
            startedAt: components["schemas"]["Timestamp"];
            /** Format: date-time */
            finishedAt: string | null;
            /** @description Records that could not be imported */
            failed: number;
        };
        LastBackup: {
            id: components["schemas"]["Id"];
            /** @enum {string} */
            status: "running" | "success" | "failed";
            startedAt: components["schemas"]["Timestamp"];
            /** Format: date-time */
            finishedAt: string | null;
            /**
             * Format: int64
             * @description Bytes
             */
            size: number;
            encrypted: boolean;
        };
        SignIn: {
            userId: components["schemas"]["Id"];
            username: string;
            at: components["schemas"]["Timestamp"];
            ip: string;
        };
        MeasuredScore: {
            score: number;
            at: components["schemas"]["Timestamp"];
        };
        FirstSteps: {
            /** @description How many steps are not done */
            open: number;
            steps: components["schemas"]["FirstStep"][];
        };
        FirstStep: {
            /** @enum {string} */
            id: "ownPassword" | "secondFactor" | "backupKey" | "backup" | "mail" | "source" | "directory" | "https";
            done: boolean;
            title: string;
            why: string;
            /** @description How the step is done; exactly one of these fields is present */
            action: {
                /** @description An operation of these documents */
                operation?: string;
                /** @description A setting of the service, as in .env.example */
                setting?: string;
            };
            /** @description How many points of the score this costs now; null if it costs none */
            deduction: number | null;
        };
        Score: {
            at: components["schemas"]["Timestamp"];
            score: number;
            /** @description The most severe first */
            deductions: components["schemas"]["ScoreDeduction"][];
            areas: components["schemas"]["ScoreArea"][];
        };
        /** @enum {string} */
        AreaName: "signIn" | "permissions" | "directory" | "sources" | "devices" | "backups" | "operationLog" | "alerts";
        ScoreArea: {
            area: components["schemas"]["AreaName"];
            /** @enum {string} */
            status: "safe" | "risk" | "danger";
            /** @description What was counted, by its name */
            figures: {
                [key: string]: number;
            };
        };
        /** @enum {string} */
        DeductionKind: "signInAttack" | "signInFailures" | "signInLocks" | "denialsMany" | "denials" | "limits" | "directoryLate" | "directoryParked" | "directoryStuck" | "driftUnknown" | "directoryNone" | "directoryEmbedded" | "runFailed" | "runHeld" | "sourceNeverRun" | "sourceOld" | "recordsFailed" | "devicesDark" | "devicesOffline" | "devicesSilent" | "batteryLow" | "backupNone" | "backupStale" | "backupOld" | "backupFailed" | "backupFuture" | "backupClear" | "chainBroken" | "chainUnchecked" | "chainStuck" | "chainGap" | "chainEmpty" | "alertsOverdue" | "alertsDanger" | "alertsOpen" | "secretGuessable" | "connectionClear" | "factorMissing" | "openToNetwork" | "trustsAnyClient" | "originClear" | "smtpMissing" | "backupsUnscheduled" | "backupKeyMissing" | "adminPasswordKept" | "secretGenerated" | "logKeyMissing" | "fastPasswordHash" | "ntHashes" | "idleSessions" | "databaseEmbedded";
        ScoreDeduction: {
            kind: components["schemas"]["DeductionKind"];
            /** @enum {string} */
            area: "signIn" | "permissions" | "directory" | "sources" | "devices" | "backups" | "operationLog" | "alerts" | "configuration";
            level: components["schemas"]["AlertLevel"];
            /** @description Subtracted from 100 */
            points: number;
            /** @description What was found, with numbers */
            description: string;
            /** @description The operation or the setting that resolves it */
            suggestion: string;
            /** @description The values of the description, by name */
            params: {
                [key: string]: string;
            };
        };
        /** @enum {string} */
        AlertLevel: "info" | "warning" | "danger";
        Alert: {
            id: components["schemas"]["Id"];
            /** @description What raised it; empty for an alert of an earlier version */
            rule: string;
            /** @description What is known of its cause, by name */
            params: {
                [key: string]: string;
            };
            title: string;
            description: string;
            level: components["schemas"]["AlertLevel"];
            raisedAt: components["schemas"]["Timestamp"];
            /**
             * Format: date-time
             * @description When its cause occurred last
             */
            lastAt: string;
            /** @description How often its cause has occurred */
            times: number;
            /**
             * Format: date-time
             * @description null while it is open
             */
            handledAt: string | null;
            /** @description The username of the user who handled it first */
            handledBy: string | null;
            /** @description Where it happened: an IP address, a source, or the location of a device */
            location: string;
            /** Format: int64 */
            deviceId: number | null;
        };
        AlertPage: {
            total: components["schemas"]["Total"];
            /**
             * Format: int64
             * @description The `cursor` of the next page; null on the last page
             */
            next: number | null;
            alerts: components["schemas"]["Alert"][];
        };
        HandleAlerts: {
            ids: components["schemas"]["Id"][];
        };
        HandledAlerts: {
            /** @description How many were open before */
            handled: number;
        };
        BackupFile: {
            id: components["schemas"]["Id"];
            /** @enum {string} */
            kind: "auto" | "manual";
            /**
             * @description `success`: the file was read back, decrypted and compared with its manifest
             * @enum {string}
             */
            status: "running" | "success" | "failed";
            startedAt: components["schemas"]["Timestamp"];
            /** Format: date-time */
            finishedAt: string | null;
            /**
             * Format: int64
             * @description Bytes
             */
            size: number;
            encrypted: boolean;
            creator: string;
            /** @description Why it failed; otherwise empty */
            error: string;
            /** @description Relative to the backup directory */
            path: string;
        };
        BackupPage: {
            total: components["schemas"]["Total"];
            /**
             * Format: int64
             * @description The `cursor` of the next page; null on the last page
             */
            next: number | null;
            backups: components["schemas"]["BackupFile"][];
        };
        BackupContents: {
            takenAt: components["schemas"]["Timestamp"];
            /** @description The version of the service that made it */
            version: string;
            encrypted: boolean;
            /**
             * Format: int64
             * @description Bytes
             */
            size: number;
            /**
             * Format: int64
             * @description Rows that a restore loads
             */
            rows: number;
            tables: {
                name: string;
                /** Format: int64 */
                rows: number;
                /**
                 * @description How much of the table a restore replaces
                 * @enum {string}
                 */
                restored: "all" | "some" | "nothing";
            }[];
        };
        /**
         * @description The classes of Regulation (EU) No 1169/2011, Annex II
         * @enum {string}
         */
        Allergen: "gluten" | "crustaceans" | "eggs" | "fish" | "peanuts" | "soybeans" | "milk" | "nuts" | "celery" | "mustard" | "sesame" | "sulphites" | "lupin" | "molluscs";
        Food: {
            /** @description The id of the food; it never changes */
            id: string;
            /** @description The entry of USDA FoodData Central with these figures */
            fdcId: number;
            en: string;
            zh: string;
            synonyms: {
                en: string[];
                zh: string[];
            };
            /** @description Per 100 g of the edible part: calories in kcal, the rest in grams */
            per100g: {
                calories: number;
                protein: number;
                carbs: number;
                fat: number;
                fibre: number;
            };
            /** @description The units that can be converted into grams */
            units: {
                /** @enum {string} */
                unit: "g" | "kg" | "ml" | "L" | "个" | "只" | "份";
                /** @description The weight of one unit */
                grams: number;
            }[];
            /** @enum {string} */
            origin: "plant" | "dairy-egg" | "meat" | "seafood";
            allergens: components["schemas"]["Allergen"][];
        };
        FoodList: {
            total: components["schemas"]["Total"];
            foods: components["schemas"]["Food"][];
        };
        CatalogueRecipe: {
            id: components["schemas"]["Id"];
            en: string;
            zh: string;
            description: {
                en: string;
                zh: string;
            };
            /** @enum {string} */
            cuisine: "chinese" | "western" | "japanese" | "korean" | "indian" | "southeast-asian";
            meals: ("breakfast" | "lunch" | "dinner" | "snack")[];
            /** @description kcal per serving */
            calories: number;
            /** @description Grams per serving */
            nutrition: {
                protein: number;
                carbs: number;
                fat: number;
            };
            /** @description The ingredients of one serving */
            ingredients: {
                /** @description The food's id */
                food: string;
                en: string;
                zh: string;
                amount: string;
            }[];
            allergens: components["schemas"]["Allergen"][];
        };
        RecipeList: {
            total: components["schemas"]["Total"];
            recipes: components["schemas"]["CatalogueRecipe"][];
        };
        /**
         * Format: date
         * @description A date, `YYYY-MM-DD`
         */
        CalendarDate: string;
        DietWord: string;
        /** @description Rounded to one decimal */
        DietFigure: number;
        /** @description The share of the ingredients that the figures are computed from */
        DietCoverage: number;
        /**
         * @description As in the nutrition report of the Diet Management API
         * @enum {string}
         */
        DietStatus: "good" | "warning" | "bad";
        /** @description In grams */
        DietNutrition: {
            protein: components["schemas"]["DietFigure"];
            carbs: components["schemas"]["DietFigure"];
            fat: components["schemas"]["DietFigure"];
        };
        /** @description In grams */
        DietRange: {
            min: components["schemas"]["DietFigure"];
            max: components["schemas"]["DietFigure"];
        };
        DietTarget: {
            calories: components["schemas"]["DietFigure"];
            protein: components["schemas"]["DietRange"];
            carbs: components["schemas"]["DietRange"];
            fat: components["schemas"]["DietRange"];
        };
        DietWishes: {
            preferences: string[];
            allergies: string[];
        };
        DietMeal: {
            id: components["schemas"]["Id"];
            /** @description `HH:mm` */
            time: string;
            name: string;
            /** @enum {string} */
            status: "pending" | "current" | "done";
            calories: components["schemas"]["DietFigure"];
        };
        DietDay: {
            date: components["schemas"]["CalendarDate"];
            /** @description Sorted by time */
            meals: components["schemas"]["DietMeal"][];
            calories: components["schemas"]["DietFigure"];
            nutrition: components["schemas"]["DietNutrition"];
            /** @description The figures of the meals that are `done` */
            eaten: {
                calories: components["schemas"]["DietFigure"];
                protein: components["schemas"]["DietFigure"];
                carbs: components["schemas"]["DietFigure"];
                fat: components["schemas"]["DietFigure"];
            };
            coverage: components["schemas"]["DietCoverage"];
            status: components["schemas"]["DietStatus"];
            preferences: string[];
            allergies: string[];
        };
        DietDays: {
            today: components["schemas"]["CalendarDate"];
            target: components["schemas"]["DietTarget"];
            wishes: components["schemas"]["DietWishes"];
            /** @description Sorted by date */
            days: components["schemas"]["DietDay"][];
        };
        PreviewDietDay: {
            meals: components["schemas"]["DraftMeal"][];
            preferences?: components["schemas"]["DietWord"][];
            allergies?: components["schemas"]["DietWord"][];
        };
        /** @description The ingredients of a meal, or a recipe */
        DraftMeal: {
            ingredients?: {
                name: string;
                amount: string;
            }[];
            recipeId?: components["schemas"]["Id"];
            servings?: number;
            /** @description The caller's own figures, used while an ingredient is unknown */
            ownFigures?: {
                calories?: number;
                protein?: number;
                carbs?: number;
                fat?: number;
            };
        };
        DraftFigures: {
            calories: components["schemas"]["DietFigure"];
            nutrition: components["schemas"]["DietNutrition"];
            coverage: components["schemas"]["DietCoverage"];
            unknownIngredients: string[];
            /** @description In the order of the request, or of the recipe */
            ingredients: {
                isKnown: boolean;
                calories: components["schemas"]["DietFigure"];
            }[];
        };
        RefusedIngredient: {
            /** @description As `savePlan` names it, such as `meals.0.ingredients.2.name`, or `meals.0.recipeId` */
            field: string;
            ingredient: string;
            /** @description The food that the ingredient is; absent if the table of foods does not have it */
            food?: {
                en: string;
                zh: string;
            };
            allergen?: components["schemas"]["ContainedAllergen"];
            /** @description The allergy that refuses it */
            word: string;
            /** @description The same as a sentence in English */
            proof: string;
        };
        DietPreview: {
            meals: components["schemas"]["DraftFigures"][];
            calories: components["schemas"]["DietFigure"];
            nutrition: components["schemas"]["DietNutrition"];
            coverage: components["schemas"]["DietCoverage"];
            status: components["schemas"]["DietStatus"];
            warnings: string[];
            problems: components["schemas"]["FieldProblem"][];
            refused: components["schemas"]["RefusedIngredient"][];
        };
        /**
         * @description The class that the food contains; absent if the food is refused by its name
         * @enum {string}
         */
        ContainedAllergen: "gluten" | "crustaceans" | "eggs" | "fish" | "peanuts" | "soybeans" | "milk" | "nuts" | "celery" | "mustard" | "sesame" | "sulphites" | "lupin" | "molluscs";
        AllergyExplanation: {
            /** @description Whether the word means a class or a food */
            isKnown: boolean;
            classes: components["schemas"]["Allergen"][];
            total: components["schemas"]["Total"];
            foods: {
                en: string;
                zh: string;
                allergen?: components["schemas"]["ContainedAllergen"];
            }[];
        };
        /**
         * @description `user` for entries directly below `ou=people` or `ou=disabled`, otherwise `group`
         * @enum {string}
         */
        OrphanKind: "user" | "group";
        /**
         * @description `open`: not ignored; `adoptable`: not ignored, and can be adopted
         * @enum {string}
         */
        OrphanState: "open" | "adoptable" | "ignored" | "all";
        OrphanText: string;
        OrphanDn: string;
        Orphan: {
            dn: string;
            kind: components["schemas"]["OrphanKind"];
            objectClasses: string[];
            /**
             * Format: int64
             * @description The id of the user or group whose entry it would become; null if no record would have this DN
             */
            recordId: number | null;
            /** @description The username, or the name of the group; empty if `recordId` is null */
            recordName: string;
            /** @description Why it cannot be adopted; null if it can be adopted */
            obstacle: string | null;
            stated: components["schemas"]["StatementOrNull"];
            ignored: boolean;
        };
        OrphanList: {
            total: components["schemas"]["Total"];
            orphans: components["schemas"]["Orphan"][];
        };
        OrphanFilter: {
            kind?: components["schemas"]["OrphanKind"];
            text?: components["schemas"]["OrphanText"];
        };
        PreviewOrphans: {
            /** @enum {string} */
            action: "adopt" | "ignore";
            filter: components["schemas"]["OrphanFilter"];
        };
        OrphanPreview: {
            /** @description The hash of these entries and the records they would belong to; for `adopt` or `ignore` with the same filter */
            hash: string;
            total: components["schemas"]["Total"];
            orphans: components["schemas"]["Orphan"][];
        };
        /** @description Either `dns`, or `filter` and `hash` */
        SelectOrphans: {
            dns?: components["schemas"]["OrphanDn"][];
            filter?: components["schemas"]["OrphanFilter"];
            /** @description The hash of the preview */
            hash?: string;
        };
        HeedOrphans: {
            dns: components["schemas"]["OrphanDn"][];
        };
        OrphansChanged: {
            total: components["schemas"]["Total"];
        };
        /**
         * @description `nested`: the entry of a group is below that of the group above it; `flat`: all are below `ou=groups`
         * @enum {string}
         */
        GroupLayoutName: "nested" | "flat";
        DirectoryFacts: {
            /** @description 1: the main directory; otherwise the number in its settings */
            directory: number;
            baseDn: string;
            layout: components["schemas"]["GroupLayoutName"];
            wanted: components["schemas"]["GroupLayoutName"];
            /** @description Records with a change that is not in this directory yet */
            waiting: number;
            /** @description Records whose entry this directory refused */
            refused: number;
            /** @description Records whose entry is up to date and lacks something, for example a password that this directory has not got */
            incomplete: number;
            /**
             * Format: date-time
             * @description Since when the oldest of these changes waits; null if none waits
             */
            oldestWaitingAt: string | null;
            part: components["schemas"]["DirectoryPart"];
        };
        /** @description What a further directory gets by its setting `LDAP_2_GROUPS`; null for a directory that gets all people and groups */
        DirectoryPart: {
            /** @description The groups of the setting */
            roots: {
                groupId: components["schemas"]["Id"];
                /** @description null if no group has this id */
                groupName: string | null;
            }[];
            /** @description How many groups these are with all groups below them */
            groups: number;
            /** @description How many people are in one of these groups */
            people: number;
        } | null;
        /** @enum {string} */
        PendingState: "waiting" | "refused" | "incomplete";
        PendingEntry: {
            /** @enum {string} */
            kind: "user" | "group";
            recordId: components["schemas"]["Id"];
            /** @description The user name, or the name of the group; null if the record was deleted */
            name: string | null;
            /** @description The DN at which the entry was last written; empty before the first write */
            dn: string;
            /** @description Whether the entry is to be removed: the record was deleted, or this directory does not get it any more */
            removal: boolean;
            state: components["schemas"]["PendingState"];
            /**
             * Format: date-time
             * @description Since when the change waits, as far as it is known
             */
            waitingSince: string | null;
            /**
             * Format: date-time
             * @description The last attempt to write the entry
             */
            triedAt: string | null;
            /**
             * Format: date-time
             * @description The next attempt; null if the entry was refused
             */
            nextTryAt: string | null;
            /** @description Why the entry is not what it should be */
            reason: string;
            stated: components["schemas"]["StatementOrNull"];
        };
        PendingEntryList: {
            total: components["schemas"]["Total"];
            entries: components["schemas"]["PendingEntry"][];
        };
        DirectoryList: {
            directories: components["schemas"]["DirectoryFacts"][];
        };
        GroupLayoutMove: {
            groupId: components["schemas"]["Id"];
            groupName: string;
            /** @description The DN of its entry; null if it has none yet */
            from: string | null;
            /** @description Its DN afterwards */
            to: string;
            /** @description Whether the name of the entry gets a number, because another group has the name */
            renamed: boolean;
            obstacle: components["schemas"]["StatementOrNull"];
        };
        GroupLayout: {
            directory: number;
            layout: components["schemas"]["GroupLayoutName"];
            wanted: components["schemas"]["GroupLayoutName"];
            /** @description The hash of exactly these moves */
            planHash: string;
            /** @description Why the change has to be confirmed; empty if it need not */
            heldBecause: components["schemas"]["Statement"][];
            /** @description Groups whose entry is not equal to its record yet */
            waiting: number;
            total: components["schemas"]["Total"];
            moves: components["schemas"]["GroupLayoutMove"][];
        };
        ChangeGroupLayout: {
            /** @description The hash of the plan that the caller has looked at */
            planHash: string;
            /** @description That a held plan is carried out */
            confirmed?: boolean;
        };
        CompareDirectory: {
            kind: components["schemas"]["RunKind"];
            /** @description Whether to report what a comparison would do without doing it */
            dryRun?: boolean;
        };
        StartDryRun: {
            kind: components["schemas"]["RunKind"];
        };
        SourceState: {
            source: components["schemas"]["Slot"];
            /** @enum {string} */
            connector: "dingtalk" | "feishu" | "wecom" | "ldap";
            configured: boolean;
            /** @description The names of the settings that are missing; empty if the source is configured */
            missing: string[];
            /** @description A cron expression in the time zone `TIME_ZONE`; empty without a schedule */
            schedule: string;
            /**
             * Format: date-time
             * @description null without a schedule
             */
            nextRunAt: string | null;
            /** @description The last run of each kind, including dry runs */
            lastRuns: components["schemas"]["RunSummary"][];
        };
        Diagnosis: {
            /** @description The steps in their order; steps that would give no more information are left out */
            steps: components["schemas"]["DiagnosisStep"][];
            /** @description The names of the first twenty departments at the top that the source shows */
            roots: string[];
            /** @description Fields of people that the platform supports, and that the sampled records do not have */
            missingFields: string[];
        };
        DiagnosisStep: {
            /** @description `token`, `scopes`, `departments`, `users`, or another step of the platform */
            step: string;
            ok: boolean;
            /** @description What was found, or the error that the platform returned */
            found: string;
            /** @description What to do about it; empty if nothing needs to be done */
            advice: string;
            stated?: components["schemas"]["Statement"];
            advised?: components["schemas"]["StatementOrNull"];
        };
        PreviewMapping: {
            kind: components["schemas"]["RunKind"];
            /** @description The field in Steward → an expression over the source's record, as in a field relation */
            attributes?: {
                [key: string]: string;
            };
        };
        MappedRecord: {
            /** @description The record's id at the source */
            sourceId: string;
            /** @description The record as the source returned it */
            record: {
                [key: string]: unknown;
            };
            /** @description The field in Steward → its value; a field without a value in the record is absent */
            fields: {
                [key: string]: string;
            };
            problems: components["schemas"]["MappingProblem"][];
        };
        MappingProblem: {
            field: string;
            reason: string;
            stated?: components["schemas"]["Statement"];
        };
        Schedule: {
            source: components["schemas"]["Slot"];
            cron: string;
            /** @description An IANA name, the setting `TIME_ZONE` */
            timeZone: string;
            nextRunAt: components["schemas"]["Timestamp"];
            running: boolean;
            /**
             * Format: date-time
             * @description The last success; null before the first success
             */
            lastOkAt: string | null;
            /** @description Why the last run failed; empty if it succeeded */
            lastError: string;
            stated: components["schemas"]["StatementOrNull"];
        };
        /** @description Unique. Letters, digits, and between them `.`, `_` and `-` */
        ServiceAccountName: string;
        /** @description What the account is for */
        ServiceAccountText: string;
        /** @description An LDAP filter (RFC 4515); empty for all */
        DirectoryFilter: string;
        /**
         * @description Whether it may read the NT hashes of the people that it reads; `false` if absent when it is created. An NT hash is
         *     as good as the password for MS-CHAPv2
         */
        ReadsNtHashes: boolean;
        ServicePassword: {
            createdAt: components["schemas"]["Timestamp"];
            /**
             * Format: date-time
             * @description Until when it is valid; null until it is ended
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description The last bind with it to the embedded directory; null if there was none
             */
            lastUsedAt: string | null;
        };
        ServiceAccount: {
            id: components["schemas"]["Id"];
            name: components["schemas"]["ServiceAccountName"];
            description: components["schemas"]["ServiceAccountText"];
            enabled: boolean;
            /** @description Whether it may read people */
            people: boolean;
            peopleFilter: components["schemas"]["DirectoryFilter"];
            /** @description Whether it may read groups */
            groups: boolean;
            groupFilter: components["schemas"]["DirectoryFilter"];
            ntHashes: components["schemas"]["ReadsNtHashes"];
            /** @description What the application binds as; empty without a directory */
            dn: string;
            sync: components["schemas"]["SyncState"];
            /** @description Those that are valid, at most two, the newest first */
            passwords: components["schemas"]["ServicePassword"][];
            /**
             * Format: date-time
             * @description The last bind; null if there was none, or it is not known
             */
            lastUsedAt: string | null;
            /** @description Whether the directory says when the account was used */
            lastUseKnown: boolean;
            creator: string;
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
            version: components["schemas"]["RecordVersion"];
        };
        /** @description Where applications find the directory; null without one */
        ServiceDirectory: {
            embedded: boolean;
            url: string;
            /** @description Encrypted from the start; null if there is no such port */
            ldapsUrl: string | null;
            baseDn: string;
        } | null;
        ServiceAccountList: {
            directory: components["schemas"]["ServiceDirectory"];
            accounts: components["schemas"]["ServiceAccount"][];
        };
        CreateServiceAccount: {
            name: components["schemas"]["ServiceAccountName"];
            description?: components["schemas"]["ServiceAccountText"];
            /** @description `true` if absent */
            people?: boolean;
            peopleFilter?: components["schemas"]["DirectoryFilter"];
            /** @description `false` if absent */
            groups?: boolean;
            groupFilter?: components["schemas"]["DirectoryFilter"];
            ntHashes?: components["schemas"]["ReadsNtHashes"];
        };
        UpdateServiceAccount: {
            version?: components["schemas"]["RecordVersion"];
            name?: components["schemas"]["ServiceAccountName"];
            description?: components["schemas"]["ServiceAccountText"];
            people?: boolean;
            peopleFilter?: components["schemas"]["DirectoryFilter"];
            groups?: boolean;
            groupFilter?: components["schemas"]["DirectoryFilter"];
            ntHashes?: components["schemas"]["ReadsNtHashes"];
            enabled?: boolean;
        };
        RotateServicePassword: {
            /** @description `true` if absent */
            keepOld?: boolean;
            /**
             * Format: date-time
             * @description Until when the old password is valid; if absent, until it is ended
             */
            oldUntil?: string;
        };
        NewServicePassword: {
            id: components["schemas"]["Id"];
            /** @description What the application binds as; empty without a directory */
            dn: string;
            password: string;
        };
        ServiceAccountRules: {
            /** @description Whether the directory limits the account without these rules */
            enforced: boolean;
            /** @description Values of `olcAccess`, before all others and in this order */
            rules: string[];
            /** @description The same as a change for `ldapmodify`; the name of the database has to be adapted */
            ldif: string;
        };
        /** @description Unique */
        DeviceName: string;
        /** @description Where the device is; alerts about the device show it */
        DeviceLocation: string;
        RegisterDevice: {
            name: components["schemas"]["DeviceName"];
            /** @description What it is: `camera`, `door`, `sensor`, … */
            type: string;
            location?: components["schemas"]["DeviceLocation"];
        };
        DeviceInFull: {
            id: components["schemas"]["Id"];
            name: string;
            type: string;
            location: string;
            /** @enum {string} */
            status: "online" | "offline";
            /** @description Per cent; null if the device does not report a battery */
            battery: number | null;
            /**
             * Format: date-time
             * @description null if it never sent one
             */
            lastHeartbeatAt: string | null;
            /**
             * Format: date-time
             * @description When its state was reported or set last
             */
            updatedAt: string;
            createdAt: components["schemas"]["Timestamp"];
            creator: string;
        };
        DevicePage: {
            total: components["schemas"]["Total"];
            /**
             * Format: int64
             * @description The `cursor` of the next page; null on the last page
             */
            next: number | null;
            devices: components["schemas"]["DeviceInFull"][];
        };
        RegisteredDevice: {
            id: components["schemas"]["Id"];
            /** @description The service stores only its hash */
            token: string;
        };
        UpdateDevice: {
            name?: components["schemas"]["DeviceName"];
            location?: components["schemas"]["DeviceLocation"];
        };
        Heartbeat: {
            /** @description Per cent; absent if the device does not report a battery */
            battery?: number;
            /**
             * @description `offline` before the device is switched off; `online` if absent
             * @enum {string}
             */
            status?: "online" | "offline";
        };
        HeardDevice: {
            id: components["schemas"]["Id"];
            /** @enum {string} */
            status: "online" | "offline";
        };
        /**
         * @description A code of the authenticator app, a recovery code, or a mailed code
         * @enum {string}
         */
        StepUpMethod: "totp" | "recovery" | "mail";
        /** @description The second factor is missing; step up, then repeat the request */
        MissingFactor: {
            /** @enum {string} */
            required: "second_factor";
            methods: components["schemas"]["StepUpMethod"][];
            /** @description For how many seconds a step-up is valid */
            maxAge: number;
        };
        SecondFactor: {
            /**
             * @description `pending`: enrolled and not yet confirmed by a first code
             * @enum {string}
             */
            totp: "none" | "pending" | "confirmed";
            /** Format: date-time */
            confirmedAt: string | null;
            recoveryCodesLeft: number;
            /** @description The methods by which the caller can step up now; empty if the caller has neither an authenticator app nor a mail address */
            methods: components["schemas"]["StepUpMethod"][];
            /**
             * Format: date-time
             * @description Until when this session is stepped up; null if it is not
             */
            steppedUpUntil: string | null;
        };
        EnrolTotp: {
            /** @description The caller's own, plain or encrypted for transport */
            password: string;
        };
        TotpSecret: {
            /** @description For typing into the app, in base32 */
            secret: string;
            /** @description The secret as an `otpauth` URI */
            uri: string;
            /** @description The URI as a QR code; an SVG picture as a data URL */
            qr: string;
        };
        ConfirmTotp: {
            /** @description Six digits */
            code: string;
        };
        RecoveryCodes: {
            recoveryCodes: string[];
        };
        StepUp: {
            method: components["schemas"]["StepUpMethod"];
            code: string;
        };
        SteppedUp: {
            steppedUpUntil: components["schemas"]["Timestamp"];
        };
        OpenConsoleSession: {
            username: string;
            /** @description Plain, or encrypted for transport */
            password: string;
            /** @description A code of the second factor; ignored if it is not required */
            code?: string;
            /** @description Plain, or encrypted for transport; ignored if the password does not have to be changed */
            newPassword?: string;
        };
        /** @description The password is right, and more is required; repeat the request with it */
        SignInChallenge: {
            /** @enum {string} */
            required: "second_factor" | "new_password";
            /** @description The methods that the code can come from; empty for `new_password` */
            methods: components["schemas"]["StepUpMethod"][];
        };
        /**
         * @description `enrolment`: the session can do little else until an authenticator app is enrolled
         * @enum {string|null}
         */
        Requirement: "enrolment" | null;
        ConsoleSession: {
            user: {
                id: components["schemas"]["Id"];
                username: string;
                /** @description The name that is shown */
                name: string;
            };
            /**
             * Format: date-time
             * @description The latest time at which the session ends
             */
            endsAt: string;
            /** @description Whether the cookie is sent over https only */
            secure: boolean;
            required: components["schemas"]["Requirement"];
        };
        SendSignInCode: {
            username: string;
            /** @description Plain, or encrypted for transport */
            password: string;
        };
        SetPasswordByLink: {
            /** @description The token of the link */
            token: string;
            /** @description 8 to 128 characters, and not one of the most common passwords; plain, or encrypted for transport */
            newPassword: string;
        };
        /**
         * @description The language of the web console; empty for the language of the browser
         * @enum {string}
         */
        Language: "" | "zh-CN" | "en";
        /**
         * @description The theme of the web console; empty for the theme of the system
         * @enum {string}
         */
        Theme: "" | "light" | "dark";
        Me: {
            id: components["schemas"]["Id"];
            username: string;
            /** @description The name that is shown */
            name: string;
            /** @description Empty if the user has no mail address */
            mail: string;
            language: components["schemas"]["Language"];
            theme: components["schemas"]["Theme"];
            /** @description Enabled roles, the highest rank first */
            roles: {
                id: components["schemas"]["Id"];
                name: string;
                keyword: string;
                sort: number;
            }[];
            /** @description The smallest `sort` of the roles, which is the highest rank; 1000 without a role */
            rank: number;
            /** @description Whether an authenticator app is enrolled */
            secondFactor: boolean;
            mustChangePassword: boolean;
            required: components["schemas"]["Requirement"];
            session: {
                id: components["schemas"]["SessionId"];
                /**
                 * @description How this request was authenticated
                 * @enum {string}
                 */
                kind: "cookie" | "bearer";
                /** @description Whether this request came over TLS, or through a trusted proxy that reports https */
                secure: boolean;
                /**
                 * Format: date-time
                 * @description The latest time at which the session ends
                 */
                endsAt: string;
            };
            /** @description The version of the service */
            version: string;
        };
        UpdateMe: {
            name?: string;
            language?: components["schemas"]["Language"];
            theme?: components["schemas"]["Theme"];
        };
        SendMailProof: {
            /** @description A mail address in ASCII */
            mail: string;
        };
        ConfirmMail: {
            /** @description Six digits */
            code: string;
        };
        Grants: {
            /** @description Their `operationId` */
            operations: string[];
            /** @description Enabled menus, sorted by `sort` */
            menus: {
                id: components["schemas"]["Id"];
                /**
                 * Format: int64
                 * @description 0 for a menu at the top
                 */
                parentId: number;
                name: string;
                title: string;
                path: string;
                icon: string;
                sort: number;
            }[];
            /** @description The smallest `sort` of the caller's roles; 1000 without a role */
            rank: number;
        };
        ResetUserPassword: {
            way: components["schemas"]["PasswordResetWay"];
        };
        ResetUserPasswords: {
            way: components["schemas"]["PasswordResetWay"];
            ids: components["schemas"]["Id"][];
            /** @description Whether to return what would be changed without changing anything */
            dryRun?: boolean;
        };
        /**
         * @description `link`: a link is mailed by which the user sets a password; `shown`: a random password is set and returned
         * @enum {string}
         */
        PasswordResetWay: "link" | "shown";
        PersonReset: components["schemas"]["PersonChanged"] & {
            /** @description Empty if the person does not exist */
            username: string;
            /** @description The random password, which only this response contains; null for `link` and for a dry run */
            password: string | null;
        };
        PasswordsReset: {
            dryRun: boolean;
            effect: components["schemas"]["ChangeEffect"];
            /**
             * Format: date-time
             * @description Until when the links are valid; null for `shown`, for a dry run, and if all users are refused
             */
            expiresAt: string | null;
            /** @description In the order of `ids` */
            people: components["schemas"]["PersonReset"][];
        };
        PasswordReset: {
            /** @description The random password, which only this response contains; null for `link` */
            password: string | null;
            /** @description Where the link was sent; null for `shown` */
            mail: string | null;
            /**
             * Format: date-time
             * @description Until when the link is valid; null for `shown`
             */
            expiresAt: string | null;
        };
        Unlocked: {
            wasLocked: boolean;
        };
        /** Format: uuid */
        SessionId: string;
        Session: {
            id: components["schemas"]["SessionId"];
            createdAt: components["schemas"]["Timestamp"];
            lastUsedAt: components["schemas"]["Timestamp"];
            /** @description The IP address from which the session was opened */
            address: string;
            userAgent: string;
            /** @description Whether it is the session of this request */
            current: boolean;
            /**
             * Format: date-time
             * @description Until when the session is stepped up; null if it is not
             */
            steppedUpUntil: string | null;
        };
        Liveness: {
            /** @enum {string} */
            status: "live";
            /** @description The version of this instance */
            version: string;
        };
        Readiness: {
            /** @enum {string} */
            status: "ready";
            /**
             * @description Whether Redis is available; only if `REDIS_URL` is set
             * @enum {string}
             */
            redis?: "used" | "away";
        };
        OrphanListSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["OrphanList"];
        };
        DirectoryListSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["DirectoryList"];
        };
        PendingEntryListSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["PendingEntryList"];
        };
        GroupLayoutSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["GroupLayout"];
        };
        OrphanPreviewSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["OrphanPreview"];
        };
        OrphansChangedSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["OrphansChanged"];
        };
        PersonListSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["PersonList"];
        };
        PersonSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["Person"];
        };
        GrantListSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["GrantList"];
        };
        EntryStateSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["EntryState"];
        };
        PeopleChangedSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["PeopleChanged"];
        };
        DepartmentListSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["DepartmentList"];
        };
        DepartmentSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["Department"];
        };
        DepartmentPathSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["DepartmentStep"][];
        };
        DepartmentMoveSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["DepartmentMove"];
        };
        AttributeSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["Attribute"];
        };
        AttributeListSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["AttributeList"];
        };
        AttributeRemovedSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["AttributeRemoved"];
        };
        AttributeValuesSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["AttributeValues"];
        };
        PosixAccountSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["PosixAccount"];
        };
        PosixGroupSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["PosixGroup"];
        };
        SshKeySuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["SshKey"];
        };
        SshKeyListSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["SshKeyList"];
        };
        RunListSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["RunList"];
        };
        LogPageSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["LogPage"];
        };
        LogEntrySuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["LogEntryDetail"];
        };
        LogChainSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["LogChain"];
        };
        WorkSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["Work"];
        };
        ProgressSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["ProgressSnapshot"];
        };
        NoticeListSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["NoticeList"];
        };
        OverviewSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["Overview"];
        };
        FirstStepsSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["FirstSteps"];
        };
        DietDaysSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["DietDays"];
        };
        DietPreviewSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["DietPreview"];
        };
        AllergySuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["AllergyExplanation"];
        };
        ScoreSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["Score"];
        };
        AlertPageSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["AlertPage"];
        };
        HandledAlertsSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["HandledAlerts"];
        };
        DevicePageSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["DevicePage"];
        };
        BackupPageSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["BackupPage"];
        };
        BackupContentsSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["BackupContents"];
        };
        FoodListSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["FoodList"];
        };
        RecipeListSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["RecipeList"];
        };
        /** @description The run failed; `data` says what was done until then, and `problems` says why it failed */
        RunFailure: {
            /** @enum {integer} */
            code: 502;
            message: components["schemas"]["Message"];
            data: components["schemas"]["Run"];
            reason: components["schemas"]["FailureReason"];
            params: components["schemas"]["ReasonValues"];
        };
        RunSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["Run"];
        };
        ChangeListSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["ChangeList"];
        };
        SourcesSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["SourceState"][];
        };
        DiagnosisSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["Diagnosis"];
        };
        MappingPreviewSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["MappedRecord"][];
        };
        SchedulesSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["Schedule"][];
        };
        ServiceAccountListSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["ServiceAccountList"];
        };
        ServiceAccountSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["ServiceAccount"];
        };
        ServicePasswordSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["NewServicePassword"];
        };
        ServiceAccountRulesSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["ServiceAccountRules"];
        };
        RegisteredDeviceSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["RegisteredDevice"];
        };
        HeardDeviceSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["HeardDevice"];
        };
        UnknownDeviceFailure: {
            /** @enum {integer} */
            code: 401;
            message: components["schemas"]["Message"];
            data: components["schemas"]["FieldProblems"];
            reason: components["schemas"]["FailureReason"];
            params: components["schemas"]["ReasonValues"];
        };
        DoneSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: null;
        };
        ConsoleSessionSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["ConsoleSession"];
        };
        MeSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["Me"];
        };
        GrantsSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["Grants"];
        };
        PasswordResetSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["PasswordReset"];
        };
        PasswordsResetSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["PasswordsReset"];
        };
        UnlockedSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["Unlocked"];
        };
        SignInRefusedFailure: {
            /** @enum {integer} */
            code: 401;
            message: components["schemas"]["Message"];
            /** @description What is required in addition to the password; null if the username or the password is wrong */
            data: components["schemas"]["SignInChallenge"] | null;
            reason: components["schemas"]["FailureReason"];
            params: components["schemas"]["ReasonValues"];
        };
        SecondFactorSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["SecondFactor"];
        };
        TotpSecretSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["TotpSecret"];
        };
        RecoveryCodesSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["RecoveryCodes"];
        };
        SteppedUpSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["SteppedUp"];
        };
        SessionsSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["Session"][];
        };
        LivenessSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["Liveness"];
        };
        ReadinessSuccess: {
            code: components["schemas"]["SuccessCode"];
            message: components["schemas"]["Message"];
            data: components["schemas"]["Readiness"];
        };
        BadRequestFailure: {
            /** @enum {integer} */
            code: 400;
            message: components["schemas"]["Message"];
            data: components["schemas"]["FieldProblems"];
            reason: components["schemas"]["FailureReason"];
            params: components["schemas"]["ReasonValues"];
        };
        UnauthenticatedFailure: {
            /** @enum {integer} */
            code: 401;
            message: components["schemas"]["Message"];
            /** @description What is required, if the second factor is missing; otherwise null */
            data: components["schemas"]["MissingFactor"] | null;
            reason: components["schemas"]["FailureReason"];
            params: components["schemas"]["ReasonValues"];
        };
        ForbiddenFailure: {
            /** @enum {integer} */
            code: 403;
            message: components["schemas"]["Message"];
            data: components["schemas"]["FieldProblems"];
            reason: components["schemas"]["FailureReason"];
            params: components["schemas"]["ReasonValues"];
        };
        NotFoundFailure: {
            /** @enum {integer} */
            code: 404;
            message: components["schemas"]["Message"];
            data: components["schemas"]["FieldProblems"];
            reason: components["schemas"]["FailureReason"];
            params: components["schemas"]["ReasonValues"];
        };
        ConflictFailure: {
            /** @enum {integer} */
            code: 409;
            message: components["schemas"]["Message"];
            data: components["schemas"]["FieldProblems"];
            reason: components["schemas"]["FailureReason"];
            params: components["schemas"]["ReasonValues"];
        };
        TooLargeFailure: {
            /** @enum {integer} */
            code: 413;
            message: components["schemas"]["Message"];
            data: components["schemas"]["FieldProblems"];
            reason: components["schemas"]["FailureReason"];
            params: components["schemas"]["ReasonValues"];
        };
        UnsupportedMediaFailure: {
            /** @enum {integer} */
            code: 415;
            message: components["schemas"]["Message"];
            data: components["schemas"]["FieldProblems"];
            reason: components["schemas"]["FailureReason"];
            params: components["schemas"]["ReasonValues"];
        };
        LimitedFailure: {
            /** @enum {integer} */
            code: 429;
            message: components["schemas"]["Message"];
            data: components["schemas"]["FieldProblems"];
            reason: components["schemas"]["FailureReason"];
            params: components["schemas"]["ReasonValues"];
        };
        InternalErrorFailure: {
            /** @enum {integer} */
            code: 500;
            message: components["schemas"]["Message"];
            data: components["schemas"]["FieldProblems"];
            reason: components["schemas"]["FailureReason"];
            params: components["schemas"]["ReasonValues"];
        };
        SourceFailedFailure: {
            /** @enum {integer} */
            code: 502;
            message: components["schemas"]["Message"];
            data: components["schemas"]["FieldProblems"];
            reason: components["schemas"]["FailureReason"];
            params: components["schemas"]["ReasonValues"];
        };
        UnavailableFailure: {
            /** @enum {integer} */
            code: 503;
            message: components["schemas"]["Message"];
            data: components["schemas"]["FieldProblems"];
            reason: components["schemas"]["FailureReason"];
            params: components["schemas"]["ReasonValues"];
        };
    };
    responses: {
        /** @description Orphan entries */
        OrphanListResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "total": 1,
                 *         "orphans": [
                 *           {
                 *             "dn": "uid=ann,ou=people,dc=example,dc=org",
                 *             "kind": "user",
                 *             "objectClasses": [
                 *               "inetOrgPerson"
                 *             ],
                 *             "recordId": 17,
                 *             "recordName": "ann",
                 *             "obstacle": null,
                 *             "stated": null,
                 *             "ignored": false
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["OrphanListSuccess"];
            };
        };
        /** @description The directories */
        DirectoryListResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "directories": [
                 *           {
                 *             "directory": 1,
                 *             "baseDn": "dc=example,dc=org",
                 *             "layout": "nested",
                 *             "wanted": "flat",
                 *             "waiting": 0,
                 *             "refused": 0,
                 *             "incomplete": 0,
                 *             "oldestWaitingAt": null,
                 *             "part": null
                 *           },
                 *           {
                 *             "directory": 2,
                 *             "baseDn": "dc=partner,dc=example",
                 *             "layout": "nested",
                 *             "wanted": "nested",
                 *             "waiting": 1,
                 *             "refused": 0,
                 *             "incomplete": 0,
                 *             "oldestWaitingAt": "2026-11-23T10:00:00.000Z",
                 *             "part": {
                 *               "roots": [
                 *                 {
                 *                   "groupId": 12,
                 *                   "groupName": "Sales"
                 *                 }
                 *               ],
                 *               "groups": 3,
                 *               "people": 41
                 *             }
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DirectoryListSuccess"];
            };
        };
        /** @description A page of the records */
        PendingEntryListResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "total": 1,
                 *         "entries": [
                 *           {
                 *             "kind": "user",
                 *             "recordId": 17,
                 *             "name": "ann",
                 *             "dn": "uid=ann,ou=people,dc=partner,dc=example",
                 *             "removal": false,
                 *             "state": "waiting",
                 *             "waitingSince": "2026-11-23T10:00:00.000Z",
                 *             "triedAt": null,
                 *             "nextTryAt": "2026-11-23T10:00:30.000Z",
                 *             "reason": "the change is on its way to the directory",
                 *             "stated": {
                 *               "code": "mirror.on_its_way",
                 *               "params": {},
                 *               "text": "the change is on its way to the directory"
                 *             }
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PendingEntryListSuccess"];
            };
        };
        /** @description The layouts, and a page of the groups that would move */
        GroupLayoutResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "directory": 1,
                 *         "layout": "nested",
                 *         "wanted": "flat",
                 *         "planHash": "5f1c8f2a3d0b7e4496a1c25d8b9e7f60413a2b8c9d0e1f5a6b7c8d9e0f1a2b3c",
                 *         "heldBecause": [
                 *           {
                 *             "code": "mirror.layout_held_renamed",
                 *             "params": {
                 *               "count": "1"
                 *             },
                 *             "text": "groups that get a number in the name of their entry, because another group has the name: 1"
                 *           }
                 *         ],
                 *         "waiting": 0,
                 *         "total": 1,
                 *         "moves": [
                 *           {
                 *             "groupId": 8,
                 *             "groupName": "Rowers",
                 *             "from": "cn=Rowers,ou=Clubs,dc=example,dc=org",
                 *             "to": "cn=Rowers2,ou=groups,dc=example,dc=org",
                 *             "renamed": true,
                 *             "obstacle": null
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["GroupLayoutSuccess"];
            };
        };
        /** @description The entries that match */
        OrphanPreviewResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "hash": "5f1c8f2a3d0b7e4496a1c25d8b9e7f60413a2b8c9d0e1f5a6b7c8d9e0f1a2b3c",
                 *         "total": 1,
                 *         "orphans": [
                 *           {
                 *             "dn": "uid=ann,ou=people,dc=example,dc=org",
                 *             "kind": "user",
                 *             "objectClasses": [
                 *               "inetOrgPerson"
                 *             ],
                 *             "recordId": 17,
                 *             "recordName": "ann",
                 *             "obstacle": null,
                 *             "stated": null,
                 *             "ignored": false
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["OrphanPreviewSuccess"];
            };
        };
        /** @description How many entries were changed */
        OrphansChangedResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "total": 1
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["OrphansChangedSuccess"];
            };
        };
        /** @description People */
        PersonListResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "total": 1,
                 *         "totalIsExact": true,
                 *         "next": null,
                 *         "previous": null,
                 *         "attributes": [
                 *           {
                 *             "name": "costCentre",
                 *             "labels": {
                 *               "en": "Cost centre",
                 *               "zh-CN": "成本中心"
                 *             },
                 *             "type": "text",
                 *             "multiple": false
                 *           }
                 *         ],
                 *         "people": [
                 *           {
                 *             "id": 12,
                 *             "username": "ann",
                 *             "name": "Ann Lee",
                 *             "mail": "ann@example.org",
                 *             "mobile": "+49 30 1234",
                 *             "jobNumber": "1042",
                 *             "status": "enabled",
                 *             "departments": [
                 *               {
                 *                 "id": 4,
                 *                 "name": "Sales"
                 *               }
                 *             ],
                 *             "roles": [
                 *               {
                 *                 "id": 2,
                 *                 "name": "user"
                 *               }
                 *             ],
                 *             "source": "",
                 *             "sync": {
                 *               "state": "synced",
                 *               "reason": null,
                 *               "stated": null
                 *             },
                 *             "lastSignInAt": "2026-03-01T08:00:00.000Z",
                 *             "createdAt": "2026-01-05T09:00:00.000Z",
                 *             "updatedAt": "2026-02-01T09:00:00.000Z",
                 *             "attributes": {
                 *               "costCentre": [
                 *                 "4711"
                 *               ]
                 *             },
                 *             "access": {
                 *               "change": true,
                 *               "reason": null
                 *             }
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PersonListSuccess"];
            };
        };
        /** @description The person */
        PersonResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "id": 12,
                 *         "username": "ann",
                 *         "name": "Ann Lee",
                 *         "givenName": "Ann",
                 *         "mail": "ann@example.org",
                 *         "mobile": "+49 30 1234",
                 *         "jobNumber": "1042",
                 *         "position": "Engineer",
                 *         "postalAddress": "",
                 *         "introduction": "",
                 *         "avatar": "",
                 *         "departmentsText": "",
                 *         "status": "enabled",
                 *         "groups": [
                 *           {
                 *             "id": 4,
                 *             "name": "Sales",
                 *             "type": "cn"
                 *           }
                 *         ],
                 *         "roles": [
                 *           {
                 *             "id": 2,
                 *             "name": "user",
                 *             "keyword": "user",
                 *             "sort": 3,
                 *             "status": "enabled"
                 *           }
                 *         ],
                 *         "source": "",
                 *         "sourceUserId": "",
                 *         "sourceUnionId": "",
                 *         "creator": "admin",
                 *         "entry": {
                 *           "dn": "uid=ann,ou=people,dc=example,dc=org",
                 *           "state": "synced",
                 *           "waitingSince": null,
                 *           "triedAt": null,
                 *           "nextTryAt": null,
                 *           "error": null,
                 *           "stated": null,
                 *           "cure": null
                 *         },
                 *         "lastSignInAt": "2026-03-01T08:00:00.000Z",
                 *         "lockedUntil": null,
                 *         "secondFactor": true,
                 *         "sessions": 1,
                 *         "createdAt": "2026-01-05T09:00:00.000Z",
                 *         "updatedAt": "2026-02-01T09:00:00.000Z",
                 *         "version": "0cc175b9c0f1b6a831c399e269772661",
                 *         "access": {
                 *           "change": true,
                 *           "reason": null
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PersonSuccess"];
            };
        };
        /** @description Operations, and the roles that grant them */
        GrantListResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "person": {
                 *           "id": 12,
                 *           "username": "ann",
                 *           "status": "enabled"
                 *         },
                 *         "operations": [
                 *           {
                 *             "operation": "listPeople",
                 *             "document": "operations",
                 *             "method": "GET",
                 *             "path": "/v1/operations/people",
                 *             "summary": "List people",
                 *             "apiId": 140,
                 *             "granted": false,
                 *             "always": false,
                 *             "roles": [],
                 *             "missing": "no_role",
                 *             "disabledRoles": [],
                 *             "grantingRoles": [
                 *               {
                 *                 "id": 1,
                 *                 "name": "admin"
                 *               }
                 *             ]
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["GrantListSuccess"];
            };
        };
        /** @description The state of the directory entry */
        EntryStateResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "dn": "",
                 *         "state": "refused",
                 *         "waitingSince": null,
                 *         "triedAt": "2026-03-01T08:00:00.000Z",
                 *         "nextTryAt": null,
                 *         "error": "the entry uid=ann,ou=people,dc=example,dc=org is not Steward's: rename or delete it, or change the name of this record; or let an administrator adopt it (POST /api/v1/operations/orphans/adopt)",
                 *         "stated": {
                 *           "code": "mirror.not_ours",
                 *           "params": {
                 *             "dn": "uid=ann,ou=people,dc=example,dc=org"
                 *           },
                 *           "text": "the entry uid=ann,ou=people,dc=example,dc=org is not Steward's: rename or delete it, or change the name of this record; or let an administrator adopt it (POST /api/v1/operations/orphans/adopt)"
                 *         },
                 *         "cure": "adopt_orphan"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["EntryStateSuccess"];
            };
        };
        /** @description What was changed, or would be changed */
        PeopleChangedResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "dryRun": true,
                 *         "effect": {
                 *           "changed": 1,
                 *           "unchanged": 0,
                 *           "refused": 1,
                 *           "sessionsEnded": 2,
                 *           "membershipsEnded": 0,
                 *           "membershipsAdded": 0,
                 *           "administrators": 0
                 *         },
                 *         "people": [
                 *           {
                 *             "id": 12,
                 *             "name": "Ann Lee",
                 *             "result": "changed",
                 *             "reason": null,
                 *             "params": {},
                 *             "message": null
                 *           },
                 *           {
                 *             "id": 31,
                 *             "name": "Bo Chen",
                 *             "result": "refused",
                 *             "reason": "access.user_too_strong",
                 *             "params": {},
                 *             "message": "the rank of this user must be lower than yours"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PeopleChangedSuccess"];
            };
        };
        /** @description Departments and groups */
        DepartmentListResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "total": 1,
                 *         "totalIsExact": true,
                 *         "next": null,
                 *         "previous": null,
                 *         "attributes": [
                 *           {
                 *             "name": "budget",
                 *             "labels": {
                 *               "en": "Budget",
                 *               "zh-CN": "预算"
                 *             },
                 *             "type": "integer",
                 *             "multiple": false
                 *           }
                 *         ],
                 *         "departments": [
                 *           {
                 *             "id": 4,
                 *             "name": "Sales",
                 *             "type": "cn",
                 *             "dn": "cn=Sales,dc=example,dc=org",
                 *             "parent": null,
                 *             "remark": "",
                 *             "source": "",
                 *             "childCount": 2,
                 *             "hasChildren": true,
                 *             "memberCount": 17,
                 *             "sync": {
                 *               "state": "synced",
                 *               "reason": null,
                 *               "stated": null
                 *             },
                 *             "version": "0cc175b9c0f1b6a831c399e269772661",
                 *             "attributes": {
                 *               "budget": [
                 *                 "100"
                 *               ]
                 *             },
                 *             "access": {
                 *               "change": true,
                 *               "reason": null
                 *             },
                 *             "path": null
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DepartmentListSuccess"];
            };
        };
        /** @description The department */
        DepartmentResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "id": 4,
                 *         "name": "Sales",
                 *         "type": "cn",
                 *         "dn": "cn=Sales,dc=example,dc=org",
                 *         "parent": null,
                 *         "remark": "",
                 *         "source": "",
                 *         "childCount": 2,
                 *         "hasChildren": true,
                 *         "memberCount": 17,
                 *         "sync": {
                 *           "state": "synced",
                 *           "reason": null,
                 *           "stated": null
                 *         },
                 *         "version": "0cc175b9c0f1b6a831c399e269772661",
                 *         "attributes": {},
                 *         "access": {
                 *           "change": true,
                 *           "reason": null
                 *         },
                 *         "path": [
                 *           {
                 *             "id": 4,
                 *             "name": "Sales",
                 *             "type": "cn"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DepartmentSuccess"];
            };
        };
        /** @description From the root to the department */
        DepartmentPathResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": [
                 *         {
                 *           "id": 1,
                 *           "name": "Company",
                 *           "type": "ou"
                 *         },
                 *         {
                 *           "id": 4,
                 *           "name": "Sales",
                 *           "type": "cn"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["DepartmentPathSuccess"];
            };
        };
        /** @description What was moved, or would be moved */
        DepartmentMoveResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "dryRun": true,
                 *         "departments": 3,
                 *         "people": 40,
                 *         "obstacle": null
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DepartmentMoveSuccess"];
            };
        };
        /** @description The attribute */
        AttributeResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "id": 3,
                 *         "kind": "user",
                 *         "name": "costCentre",
                 *         "labels": {
                 *           "en": "Cost centre",
                 *           "zh-CN": "成本中心"
                 *         },
                 *         "type": "text",
                 *         "multiple": false,
                 *         "minimum": null,
                 *         "maximum": 20,
                 *         "searched": false,
                 *         "own": "see",
                 *         "seeRoles": [],
                 *         "editRoles": [],
                 *         "ldapAttribute": "roomNumber",
                 *         "objectClass": "",
                 *         "creator": "admin",
                 *         "createdAt": "2026-11-20T09:30:00.000Z",
                 *         "updatedAt": "2026-11-20T09:30:00.000Z",
                 *         "version": "6d1f0c5e4a3b2d1c0f9e8d7c6b5a4938"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["AttributeSuccess"];
            };
        };
        /** @description The attributes */
        AttributeListResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "attributes": [
                 *           {
                 *             "id": 3,
                 *             "kind": "user",
                 *             "name": "costCentre",
                 *             "labels": {
                 *               "en": "Cost centre",
                 *               "zh-CN": "成本中心"
                 *             },
                 *             "type": "text",
                 *             "multiple": false,
                 *             "minimum": null,
                 *             "maximum": 20,
                 *             "searched": false,
                 *             "own": "see",
                 *             "seeRoles": [],
                 *             "editRoles": [],
                 *             "ldapAttribute": "roomNumber",
                 *             "objectClass": "",
                 *             "creator": "admin",
                 *             "createdAt": "2026-11-20T09:30:00.000Z",
                 *             "updatedAt": "2026-11-20T09:30:00.000Z",
                 *             "version": "6d1f0c5e4a3b2d1c0f9e8d7c6b5a4938"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["AttributeListSuccess"];
            };
        };
        /** @description What was removed */
        AttributeRemovedResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "records": 40
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["AttributeRemovedSuccess"];
            };
        };
        /** @description The attributes with their values */
        AttributeValuesResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "version": "6d1f0c5e4a3b2d1c0f9e8d7c6b5a4938",
                 *         "attributes": [
                 *           {
                 *             "name": "costCentre",
                 *             "labels": {
                 *               "en": "Cost centre",
                 *               "zh-CN": "成本中心"
                 *             },
                 *             "type": "text",
                 *             "multiple": false,
                 *             "minimum": null,
                 *             "maximum": 20,
                 *             "values": [
                 *               "4711"
                 *             ],
                 *             "change": true
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["AttributeValuesSuccess"];
            };
        };
        /** @description The account */
        PosixAccountResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "accounts": "all",
                 *         "enabled": true,
                 *         "uidNumber": "200017",
                 *         "gidNumber": "200017",
                 *         "homeDirectory": "/home/ann",
                 *         "loginShell": "/bin/bash",
                 *         "gecos": "Ann Lee"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PosixAccountSuccess"];
            };
        };
        /** @description The group */
        PosixGroupResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "accounts": "groups",
                 *         "switchedOn": true,
                 *         "enabled": true,
                 *         "gidNumber": "200018"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PosixGroupSuccess"];
            };
        };
        /** @description The key */
        SshKeyResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "name": "Laptop",
                 *         "type": "ssh-ed25519",
                 *         "bits": 256,
                 *         "fingerprint": "SHA256:2hLKDKTLdUrD2KZVzIdmsRFKRlM7Tq3BZBpu8BCYbKA",
                 *         "addedAt": "2026-11-23T10:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SshKeySuccess"];
            };
        };
        /** @description The keys */
        SshKeyListResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "keys": [
                 *           {
                 *             "name": "Laptop",
                 *             "type": "ssh-ed25519",
                 *             "bits": 256,
                 *             "fingerprint": "SHA256:2hLKDKTLdUrD2KZVzIdmsRFKRlM7Tq3BZBpu8BCYbKA",
                 *             "addedAt": "2026-11-23T10:00:00.000Z"
                 *           }
                 *         ],
                 *         "takesOver": false
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SshKeyListSuccess"];
            };
        };
        /** @description Runs, newest first */
        RunListResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "total": 1,
                 *         "runs": [
                 *           {
                 *             "runId": 58,
                 *             "source": "exta",
                 *             "kind": "users",
                 *             "state": "held",
                 *             "dryRun": false,
                 *             "startedAt": "2025-03-05T02:00:00.014Z",
                 *             "finishedAt": "2025-03-05T02:00:03.551Z",
                 *             "phase": "",
                 *             "progress": 0,
                 *             "progressOf": null,
                 *             "total": 1840,
                 *             "added": 0,
                 *             "updated": 0,
                 *             "moved": 0,
                 *             "disabled": 0,
                 *             "unchanged": 1620,
                 *             "skipped": 0,
                 *             "failed": 0,
                 *             "held": 220,
                 *             "planHash": "5f1c8f2a3d0b7e4496a1c25d8b9e7f60413a2b8c9d0e1f5a6b7c8d9e0f1a2b3c",
                 *             "heldBecause": [
                 *               "It would disable 213 of 1840 people: the limit is 184 (SYNC_MAX_REMOVALS)"
                 *             ],
                 *             "gaps": [],
                 *             "creator": "schedule",
                 *             "decidedBy": "",
                 *             "decidedAt": null
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["RunListSuccess"];
            };
        };
        /** @description A page of entries, newest first */
        LogPageResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "next": 40217,
                 *         "entries": [
                 *           {
                 *             "id": 40217,
                 *             "username": "li.na",
                 *             "userId": 12,
                 *             "ip": "10.0.3.7",
                 *             "method": "POST",
                 *             "path": "/user/changeUserStatus",
                 *             "remark": "Enable or disable a user",
                 *             "status": 0,
                 *             "result": "success",
                 *             "startTime": "2025-03-05T10:15:00.014Z",
                 *             "timeCost": 41,
                 *             "userAgent": "Mozilla/5.0",
                 *             "target": [
                 *               17
                 *             ],
                 *             "times": 1,
                 *             "preview": false
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["LogPageSuccess"];
            };
        };
        /** @description The entry */
        LogEntryResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "id": 40217,
                 *         "username": "li.na",
                 *         "userId": 12,
                 *         "ip": "10.0.3.7",
                 *         "method": "POST",
                 *         "path": "/user/changeUserStatus",
                 *         "remark": "Enable or disable a user",
                 *         "status": 0,
                 *         "result": "success",
                 *         "startTime": "2025-03-05T10:15:00.014Z",
                 *         "timeCost": 41,
                 *         "userAgent": "Mozilla/5.0",
                 *         "target": [
                 *           17
                 *         ],
                 *         "times": 1,
                 *         "preview": false,
                 *         "hash": "3f1a09c2.5f1c8f2a3d0b7e4496a1c25d8b9e7f60413a2b8c9d0e1f5a6b7c8d9e0f1a2b3c",
                 *         "previousHash": "3f1a09c2.0b7e4496a1c25d8b9e7f60413a2b8c9d0e1f5a6b7c8d9e0f1a2b3c5f1c8f2a3d",
                 *         "operationId": "changeUserStatus",
                 *         "touched": [
                 *           {
                 *             "kind": "user",
                 *             "id": 17,
                 *             "name": "wang.wei"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["LogEntrySuccess"];
            };
        };
        /** @description The chain */
        LogChainResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "head": {
                 *           "seq": 40217,
                 *           "hash": "3f1a09c2.5f1c8f2a3d0b7e4496a1c25d8b9e7f60413a2b8c9d0e1f5a6b7c8d9e0f1a2b3c",
                 *           "at": "2025-03-05T10:15:00.055Z"
                 *         },
                 *         "first": 1,
                 *         "entries": 40217,
                 *         "waiting": 0,
                 *         "state": "intact",
                 *         "verification": {
                 *           "id": 3,
                 *           "startedAt": "2025-03-05T09:00:00.014Z",
                 *           "finishedAt": "2025-03-05T09:00:02.551Z",
                 *           "creator": "admin",
                 *           "head": {
                 *             "seq": 40180,
                 *             "hash": "3f1a09c2.9e7f60413a2b8c9d0e1f5a6b7c8d9e0f1a2b3c5f1c8f2a3d0b7e4496a1c25d8b"
                 *           },
                 *           "checked": 40180,
                 *           "gaps": [],
                 *           "failure": ""
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["LogChainSuccess"];
            };
        };
        /** @description The work */
        WorkResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "kind": "verification",
                 *         "id": 4,
                 *         "state": "running",
                 *         "phase": "verifying",
                 *         "done": 0,
                 *         "total": 40217,
                 *         "creator": "admin",
                 *         "startedAt": "2025-03-05T10:15:00.014Z",
                 *         "finishedAt": null,
                 *         "message": ""
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WorkSuccess"];
            };
        };
        /** @description What is in progress, and what ended within the last minute */
        ProgressResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "at": "2025-03-05T10:15:01.014Z",
                 *         "work": [
                 *           {
                 *             "kind": "run",
                 *             "id": 58,
                 *             "state": "running",
                 *             "phase": "applying",
                 *             "done": 400,
                 *             "total": 1840,
                 *             "creator": "admin",
                 *             "startedAt": "2025-03-05T10:15:00.014Z",
                 *             "finishedAt": null,
                 *             "message": "",
                 *             "source": "exta",
                 *             "runKind": "users",
                 *             "dryRun": false
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ProgressSuccess"];
            };
        };
        /** @description What is urgent */
        NoticeListResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "at": "2025-03-05T10:15:01.014Z",
                 *         "total": 1,
                 *         "counts": {
                 *           "alert": 0,
                 *           "heldRun": 1,
                 *           "lockedAccount": 0
                 *         },
                 *         "notices": [
                 *           {
                 *             "key": "heldRun:58",
                 *             "kind": "heldRun",
                 *             "id": 58,
                 *             "title": "A run of exta (users) is held",
                 *             "detail": "It would disable 213 of 1840 people",
                 *             "rule": "",
                 *             "params": {
                 *               "source": "exta",
                 *               "kind": "users"
                 *             },
                 *             "since": "2025-03-05T10:14:59.551Z",
                 *             "times": 1
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["NoticeListSuccess"];
            };
        };
        /** @description The figures */
        OverviewResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "at": "2025-03-05T10:15:01.014Z",
                 *         "people": {
                 *           "enabled": 1791,
                 *           "disabled": 49
                 *         },
                 *         "departments": 212,
                 *         "groups": 14,
                 *         "alerts": {
                 *           "info": 0,
                 *           "warning": 2,
                 *           "danger": 0
                 *         },
                 *         "runs": {
                 *           "held": 1,
                 *           "running": 0
                 *         },
                 *         "directory": {
                 *           "kind": "external",
                 *           "inStep": 2064,
                 *           "waiting": 2,
                 *           "refused": 0,
                 *           "oldestWaitingAt": "2025-03-05T10:15:00.014Z"
                 *         },
                 *         "sources": [
                 *           {
                 *             "source": "exta",
                 *             "kind": "users",
                 *             "runId": 58,
                 *             "state": "held",
                 *             "startedAt": "2025-03-05T10:14:55.014Z",
                 *             "finishedAt": "2025-03-05T10:14:59.551Z",
                 *             "failed": 0
                 *           }
                 *         ],
                 *         "lastBackup": {
                 *           "id": 4,
                 *           "status": "success",
                 *           "startedAt": "2025-03-05T03:00:00.014Z",
                 *           "finishedAt": "2025-03-05T03:00:04.551Z",
                 *           "size": 1468006,
                 *           "encrypted": true
                 *         },
                 *         "lately": [
                 *           {
                 *             "kind": "change",
                 *             "id": 9120,
                 *             "at": "2025-03-05T10:14:58.014Z",
                 *             "by": "admin",
                 *             "change": {
                 *               "method": "POST",
                 *               "path": "/user/update",
                 *               "remark": "Update a user",
                 *               "touched": {
                 *                 "kind": "user",
                 *                 "id": 12,
                 *                 "name": "ann"
                 *               },
                 *               "records": 1
                 *             }
                 *           },
                 *           {
                 *             "kind": "run",
                 *             "id": 58,
                 *             "at": "2025-03-05T10:14:55.014Z",
                 *             "by": "schedule",
                 *             "run": {
                 *               "source": "exta",
                 *               "kind": "users",
                 *               "state": "held",
                 *               "added": 3,
                 *               "updated": 1,
                 *               "moved": 0,
                 *               "disabled": 213,
                 *               "failed": 0,
                 *               "held": 0
                 *             }
                 *           }
                 *         ],
                 *         "signIns": [
                 *           {
                 *             "userId": 1,
                 *             "username": "admin",
                 *             "at": "2025-03-05T10:00:00.014Z",
                 *             "ip": "10.0.3.7"
                 *           }
                 *         ],
                 *         "score": {
                 *           "score": 83,
                 *           "at": "2025-03-05T09:00:00.014Z"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["OverviewSuccess"];
            };
        };
        /** @description The steps */
        FirstStepsResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "open": 1,
                 *         "steps": [
                 *           {
                 *             "id": "mail",
                 *             "done": false,
                 *             "title": "Connect a mail server",
                 *             "why": "Codes, alerts and one-time links are sent by mail; without a server they stay in files of the host.",
                 *             "action": {
                 *               "setting": "SMTP_URL"
                 *             },
                 *             "deduction": 5
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["FirstStepsSuccess"];
            };
        };
        /** @description The planned days */
        DietDaysResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "today": "2026-01-31",
                 *         "target": {
                 *           "calories": 2000,
                 *           "protein": {
                 *             "min": 50,
                 *             "max": 100
                 *           },
                 *           "carbs": {
                 *             "min": 250,
                 *             "max": 325
                 *           },
                 *           "fat": {
                 *             "min": 44.4,
                 *             "max": 66.7
                 *           }
                 *         },
                 *         "wishes": {
                 *           "preferences": [
                 *             "low fat"
                 *           ],
                 *           "allergies": [
                 *             "peanuts"
                 *           ]
                 *         },
                 *         "days": [
                 *           {
                 *             "date": "2026-01-31",
                 *             "meals": [
                 *               {
                 *                 "id": 31,
                 *                 "time": "08:00",
                 *                 "name": "Breakfast",
                 *                 "status": "done",
                 *                 "calories": 300.1
                 *               }
                 *             ],
                 *             "calories": 300.1,
                 *             "nutrition": {
                 *               "protein": 20.7,
                 *               "carbs": 12.7,
                 *               "fat": 17.6
                 *             },
                 *             "eaten": {
                 *               "calories": 300.1,
                 *               "protein": 20.7,
                 *               "carbs": 12.7,
                 *               "fat": 17.6
                 *             },
                 *             "coverage": 1,
                 *             "status": "bad",
                 *             "preferences": [
                 *               "low fat"
                 *             ],
                 *             "allergies": [
                 *               "peanuts"
                 *             ]
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DietDaysSuccess"];
            };
        };
        /** @description The figures */
        DietPreviewResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "meals": [
                 *           {
                 *             "calories": 157.1,
                 *             "nutrition": {
                 *               "protein": 8.1,
                 *               "carbs": 12.4,
                 *               "fat": 8.4
                 *             },
                 *             "coverage": 1,
                 *             "unknownIngredients": [],
                 *             "ingredients": [
                 *               {
                 *                 "isKnown": true,
                 *                 "calories": 157.1
                 *               }
                 *             ]
                 *           }
                 *         ],
                 *         "calories": 157.1,
                 *         "nutrition": {
                 *           "protein": 8.1,
                 *           "carbs": 12.4,
                 *           "fat": 8.4
                 *         },
                 *         "coverage": 1,
                 *         "status": "bad",
                 *         "warnings": [],
                 *         "problems": [],
                 *         "refused": [
                 *           {
                 *             "field": "meals.0.ingredients.0.name",
                 *             "ingredient": "milk",
                 *             "food": {
                 *               "en": "milk",
                 *               "zh": "牛奶"
                 *             },
                 *             "allergen": "milk",
                 *             "word": "milk",
                 *             "proof": "milk (milk) contains milk (Regulation (EU) No 1169/2011, Annex II), and milk is among the allergies"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DietPreviewSuccess"];
            };
        };
        /** @description What the allergy refuses */
        AllergyResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "isKnown": true,
                 *         "classes": [
                 *           "peanuts"
                 *         ],
                 *         "total": 1,
                 *         "foods": [
                 *           {
                 *             "en": "peanut butter",
                 *             "zh": "花生酱",
                 *             "allergen": "peanuts"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["AllergySuccess"];
            };
        };
        /** @description The score */
        ScoreResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "at": "2026-07-01T08:00:00.000Z",
                 *         "score": 95,
                 *         "deductions": [
                 *           {
                 *             "kind": "smtpMissing",
                 *             "area": "configuration",
                 *             "level": "warning",
                 *             "points": 5,
                 *             "description": "There is no mail server: codes and notifications are only written to files in DATA_DIR/mail.",
                 *             "suggestion": "Set SMTP_URL and MAIL_FROM.",
                 *             "params": {}
                 *           }
                 *         ],
                 *         "areas": [
                 *           {
                 *             "area": "backups",
                 *             "status": "safe",
                 *             "figures": {
                 *               "proven": 14,
                 *               "failed": 0
                 *             }
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ScoreSuccess"];
            };
        };
        /** @description A page of alerts, newest first */
        AlertPageResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "total": 1,
                 *         "next": null,
                 *         "alerts": [
                 *           {
                 *             "id": 12,
                 *             "rule": "batteryLow",
                 *             "params": {
                 *               "id": "3",
                 *               "name": "Front door",
                 *               "battery": "14",
                 *               "location": "Building 2"
                 *             },
                 *             "title": "Battery low",
                 *             "description": "Front door has 14 % of its battery left",
                 *             "level": "warning",
                 *             "raisedAt": "2026-07-01T07:31:00.000Z",
                 *             "lastAt": "2026-07-01T07:31:00.000Z",
                 *             "times": 1,
                 *             "handledAt": null,
                 *             "handledBy": null,
                 *             "location": "Building 2",
                 *             "deviceId": 3
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["AlertPageSuccess"];
            };
        };
        /** @description How many alerts were marked */
        HandledAlertsResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "handled": 2
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["HandledAlertsSuccess"];
            };
        };
        /** @description A page of devices, newest first */
        DevicePageResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "total": 1,
                 *         "next": null,
                 *         "devices": [
                 *           {
                 *             "id": 3,
                 *             "name": "Front door",
                 *             "type": "door",
                 *             "location": "Building 2",
                 *             "status": "online",
                 *             "battery": 76,
                 *             "lastHeartbeatAt": "2026-07-01T07:59:30.000Z",
                 *             "updatedAt": "2026-07-01T07:59:30.000Z",
                 *             "createdAt": "2026-05-04T10:12:00.000Z",
                 *             "creator": "admin"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DevicePageSuccess"];
            };
        };
        /** @description A page of backups, newest first */
        BackupPageResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "total": 1,
                 *         "next": null,
                 *         "backups": [
                 *           {
                 *             "id": 41,
                 *             "kind": "auto",
                 *             "status": "success",
                 *             "startedAt": "2026-07-01T01:00:00.000Z",
                 *             "finishedAt": "2026-07-01T01:00:04.000Z",
                 *             "size": 1468006,
                 *             "encrypted": true,
                 *             "creator": "system",
                 *             "error": "",
                 *             "path": "2026-07-01T01-00-00Z-1f3a9c.backup"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["BackupPageSuccess"];
            };
        };
        /** @description What the backup contains */
        BackupContentsResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "takenAt": "2026-07-01T01:00:00.000Z",
                 *         "version": "0.1.0",
                 *         "encrypted": true,
                 *         "size": 1468006,
                 *         "rows": 4210,
                 *         "tables": [
                 *           {
                 *             "name": "users",
                 *             "rows": 312,
                 *             "restored": "all"
                 *           },
                 *           {
                 *             "name": "alerts",
                 *             "rows": 18,
                 *             "restored": "nothing"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["BackupContentsSuccess"];
            };
        };
        /** @description Foods */
        FoodListResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "total": 1,
                 *         "foods": [
                 *           {
                 *             "id": "egg-whole-raw",
                 *             "fdcId": 171287,
                 *             "en": "egg",
                 *             "zh": "鸡蛋",
                 *             "synonyms": {
                 *               "en": [
                 *                 "hen egg"
                 *               ],
                 *               "zh": [
                 *                 "蛋"
                 *               ]
                 *             },
                 *             "per100g": {
                 *               "calories": 143,
                 *               "protein": 12.6,
                 *               "carbs": 0.7,
                 *               "fat": 9.5,
                 *               "fibre": 0
                 *             },
                 *             "units": [
                 *               {
                 *                 "unit": "g",
                 *                 "grams": 1
                 *               },
                 *               {
                 *                 "unit": "个",
                 *                 "grams": 50
                 *               }
                 *             ],
                 *             "origin": "dairy-egg",
                 *             "allergens": [
                 *               "eggs"
                 *             ]
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["FoodListSuccess"];
            };
        };
        /** @description Recipes */
        RecipeListResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "total": 1,
                 *         "recipes": [
                 *           {
                 *             "id": 80,
                 *             "en": "Baked sweet potato",
                 *             "zh": "烤红薯",
                 *             "description": {
                 *               "en": "One sweet potato, baked until it caramelises.",
                 *               "zh": "一个烤得流蜜的红薯。"
                 *             },
                 *             "cuisine": "chinese",
                 *             "meals": [
                 *               "breakfast",
                 *               "snack"
                 *             ],
                 *             "calories": 135,
                 *             "nutrition": {
                 *               "protein": 3,
                 *               "carbs": 31.1,
                 *               "fat": 0.2
                 *             },
                 *             "ingredients": [
                 *               {
                 *                 "food": "sweet-potato-baked",
                 *                 "en": "baked sweet potato",
                 *                 "zh": "烤红薯",
                 *                 "amount": "150g"
                 *               }
                 *             ],
                 *             "allergens": []
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["RecipeListSuccess"];
            };
        };
        /** @description The run failed, or was interrupted */
        RunFailedResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RunFailure"];
            };
        };
        /** @description The run */
        RunResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "runId": 58,
                 *         "source": "exta",
                 *         "kind": "users",
                 *         "state": "held",
                 *         "dryRun": false,
                 *         "startedAt": "2025-03-05T02:00:00.014Z",
                 *         "finishedAt": "2025-03-05T02:00:03.551Z",
                 *         "phase": "",
                 *         "progress": 0,
                 *         "progressOf": null,
                 *         "total": 1840,
                 *         "added": 0,
                 *         "updated": 0,
                 *         "moved": 0,
                 *         "disabled": 0,
                 *         "unchanged": 1619,
                 *         "skipped": 1,
                 *         "failed": 0,
                 *         "held": 220,
                 *         "planHash": "5f1c8f2a3d0b7e4496a1c25d8b9e7f60413a2b8c9d0e1f5a6b7c8d9e0f1a2b3c",
                 *         "heldBecause": [
                 *           "It would disable 213 of 1840 people: the limit is 184 (SYNC_MAX_REMOVALS)"
                 *         ],
                 *         "gaps": [],
                 *         "creator": "schedule",
                 *         "decidedBy": "",
                 *         "decidedAt": null,
                 *         "problems": [
                 *           {
                 *             "sourceId": "u-90c1",
                 *             "name": "Chen Jie",
                 *             "step": "mapping",
                 *             "reason": "username: is not in the record",
                 *             "advice": "Correct it at the source, or change the field relation"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["RunSuccess"];
            };
        };
        /** @description Changes, in the order in which they are applied */
        ChangeListResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "total": 1,
                 *         "changes": [
                 *           {
                 *             "seq": 1,
                 *             "action": "move",
                 *             "sourceId": "u-5f2b81",
                 *             "recordId": 12,
                 *             "name": "li.na",
                 *             "before": {
                 *               "position": "Platform engineer",
                 *               "memberOf": [
                 *                 7
                 *               ]
                 *             },
                 *             "after": {
                 *               "position": "Head of platform",
                 *               "memberOf": [
                 *                 7,
                 *                 9
                 *               ]
                 *             },
                 *             "state": "planned",
                 *             "reason": ""
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ChangeListSuccess"];
            };
        };
        /** @description The four slots */
        SourcesResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": [
                 *         {
                 *           "source": "exta",
                 *           "connector": "dingtalk",
                 *           "configured": true,
                 *           "missing": [],
                 *           "schedule": "0 2 * * *",
                 *           "nextRunAt": "2025-03-05T18:00:00.000Z",
                 *           "lastRuns": [
                 *             {
                 *               "runId": 58,
                 *               "source": "exta",
                 *               "kind": "users",
                 *               "state": "held",
                 *               "dryRun": false,
                 *               "startedAt": "2025-03-05T02:00:00.014Z",
                 *               "finishedAt": "2025-03-05T02:00:03.551Z",
                 *               "phase": "",
                 *               "progress": 0,
                 *               "progressOf": null,
                 *               "total": 1840,
                 *               "added": 0,
                 *               "updated": 0,
                 *               "moved": 0,
                 *               "disabled": 0,
                 *               "unchanged": 1620,
                 *               "skipped": 0,
                 *               "failed": 0,
                 *               "held": 220,
                 *               "planHash": "5f1c8f2a3d0b7e4496a1c25d8b9e7f60413a2b8c9d0e1f5a6b7c8d9e0f1a2b3c",
                 *               "heldBecause": [
                 *                 "It would disable 213 of 1840 people: the limit is 184 (SYNC_MAX_REMOVALS)"
                 *               ],
                 *               "gaps": [],
                 *               "creator": "schedule",
                 *               "decidedBy": "",
                 *               "decidedAt": null
                 *             }
                 *           ]
                 *         },
                 *         {
                 *           "source": "extb",
                 *           "connector": "feishu",
                 *           "configured": false,
                 *           "missing": [
                 *             "EXTB_APP_ID",
                 *             "EXTB_APP_SECRET"
                 *           ],
                 *           "schedule": "",
                 *           "nextRunAt": null,
                 *           "lastRuns": []
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["SourcesSuccess"];
            };
        };
        /** @description What was tested, and the results */
        DiagnosisResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "steps": [
                 *           {
                 *             "step": "token",
                 *             "ok": true,
                 *             "found": "DingTalk issued an access token",
                 *             "advice": "",
                 *             "stated": {
                 *               "code": "sources.token_issued",
                 *               "params": {
                 *                 "platform": "DingTalk"
                 *               },
                 *               "text": "DingTalk issued an access token"
                 *             },
                 *             "advised": null
                 *           },
                 *           {
                 *             "step": "departments",
                 *             "ok": false,
                 *             "found": "DingTalk refused the departments: 88/60011",
                 *             "advice": "Grant the app qyapi_get_department_list."
                 *           }
                 *         ],
                 *         "roots": [],
                 *         "missingFields": []
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DiagnosisSuccess"];
            };
        };
        /** @description Records of the source, with the fields they are mapped to */
        MappingPreviewResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": [
                 *         {
                 *           "sourceId": "u-5f2b81",
                 *           "record": {
                 *             "userid": "u-5f2b81",
                 *             "name": "Li Na",
                 *             "org_email": "li.na@example.com"
                 *           },
                 *           "fields": {
                 *             "username": "li.na",
                 *             "nickname": "Li Na",
                 *             "mail": "li.na@example.com"
                 *           },
                 *           "problems": []
                 *         },
                 *         {
                 *           "sourceId": "u-90c1",
                 *           "record": {
                 *             "userid": "u-90c1",
                 *             "name": "Chen Jie"
                 *           },
                 *           "fields": {
                 *             "nickname": "Chen Jie"
                 *           },
                 *           "problems": [
                 *             {
                 *               "field": "username",
                 *               "reason": "is not in the record"
                 *             }
                 *           ]
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["MappingPreviewSuccess"];
            };
        };
        /** @description The schedules */
        SchedulesResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": [
                 *         {
                 *           "source": "exta",
                 *           "cron": "0 2 * * *",
                 *           "timeZone": "Asia/Shanghai",
                 *           "nextRunAt": "2025-03-05T18:00:00.000Z",
                 *           "running": false,
                 *           "lastOkAt": "2025-03-04T18:00:41.306Z",
                 *           "lastError": "",
                 *           "stated": null
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["SchedulesSuccess"];
            };
        };
        /** @description The service accounts */
        ServiceAccountListResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "directory": {
                 *           "embedded": true,
                 *           "url": "ldap://localhost:1389",
                 *           "ldapsUrl": "ldaps://localhost:1636",
                 *           "baseDn": "dc=example,dc=org"
                 *         },
                 *         "accounts": [
                 *           {
                 *             "id": 3,
                 *             "name": "wiki",
                 *             "description": "The wiki of the editors",
                 *             "enabled": true,
                 *             "people": true,
                 *             "peopleFilter": "(memberOf=cn=Editors,dc=example,dc=org)",
                 *             "groups": false,
                 *             "groupFilter": "",
                 *             "ntHashes": false,
                 *             "dn": "cn=wiki,ou=service-accounts,dc=example,dc=org",
                 *             "sync": {
                 *               "state": "synced",
                 *               "reason": null,
                 *               "stated": null
                 *             },
                 *             "passwords": [
                 *               {
                 *                 "createdAt": "2026-11-24T12:00:00.000Z",
                 *                 "expiresAt": null,
                 *                 "lastUsedAt": "2026-11-24T12:30:00.000Z"
                 *               }
                 *             ],
                 *             "lastUsedAt": "2026-11-24T12:30:00.000Z",
                 *             "lastUseKnown": true,
                 *             "creator": "admin",
                 *             "createdAt": "2026-11-24T12:00:00.000Z",
                 *             "updatedAt": "2026-11-24T12:00:00.000Z",
                 *             "version": "0cc175b9c0f1b6a831c399e269772661"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ServiceAccountListSuccess"];
            };
        };
        /** @description The service account */
        ServiceAccountResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "id": 3,
                 *         "name": "wiki",
                 *         "description": "The wiki of the editors",
                 *         "enabled": true,
                 *         "people": true,
                 *         "peopleFilter": "(memberOf=cn=Editors,dc=example,dc=org)",
                 *         "groups": false,
                 *         "groupFilter": "",
                 *         "ntHashes": false,
                 *         "dn": "cn=wiki,ou=service-accounts,dc=example,dc=org",
                 *         "sync": {
                 *           "state": "synced",
                 *           "reason": null,
                 *           "stated": null
                 *         },
                 *         "passwords": [
                 *           {
                 *             "createdAt": "2026-11-24T12:00:00.000Z",
                 *             "expiresAt": null,
                 *             "lastUsedAt": "2026-11-24T12:30:00.000Z"
                 *           }
                 *         ],
                 *         "lastUsedAt": "2026-11-24T12:30:00.000Z",
                 *         "lastUseKnown": true,
                 *         "creator": "admin",
                 *         "createdAt": "2026-11-24T12:00:00.000Z",
                 *         "updatedAt": "2026-11-24T12:00:00.000Z",
                 *         "version": "0cc175b9c0f1b6a831c399e269772661"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ServiceAccountSuccess"];
            };
        };
        /** @description The password */
        ServicePasswordResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "id": 3,
                 *         "dn": "cn=wiki,ou=service-accounts,dc=example,dc=org",
                 *         "password": "qW3xv0bY8kT1mZ4uN6sR2cE9aH7dJ5gL"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ServicePasswordSuccess"];
            };
        };
        /** @description The access rules */
        ServiceAccountRulesResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "enforced": false,
                 *         "rules": [
                 *           "to attrs=userPassword by dn.exact=\"cn=wiki,ou=service-accounts,dc=example,dc=org\" none by * break"
                 *         ],
                 *         "ldif": "dn: olcDatabase={1}mdb,cn=config"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ServiceAccountRulesSuccess"];
            };
        };
        /** @description The id and the token */
        RegisteredDeviceResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "id": 3,
                 *         "token": "6Yt0bqv2mJ0c8rY1kq3Zr4uX7wA9dE5fG2hJ8kL1mN0"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["RegisteredDeviceSuccess"];
            };
        };
        /** @description The device as it is now */
        HeardDeviceResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "id": 3,
                 *         "status": "online"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["HeardDeviceSuccess"];
            };
        };
        /** @description No device has this token */
        UnknownDeviceResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 401,
                 *       "message": "this token does not belong to a device",
                 *       "data": null,
                 *       "reason": "devices.unknown_token",
                 *       "params": {}
                 *     }
                 */
                "application/json": components["schemas"]["UnknownDeviceFailure"];
            };
        };
        /** @description Done */
        DoneResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": null
                 *     }
                 */
                "application/json": components["schemas"]["DoneSuccess"];
            };
        };
        /** @description Done */
        LimitedDoneResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": null
                 *     }
                 */
                "application/json": components["schemas"]["DoneSuccess"];
            };
        };
        /** @description The session is open */
        ConsoleSessionResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "Set-Cookie": components["headers"]["SetCookie"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "user": {
                 *           "id": 12,
                 *           "username": "li.na",
                 *           "name": "Li Na"
                 *         },
                 *         "endsAt": "2025-03-05T20:00:00.000Z",
                 *         "secure": true,
                 *         "required": null
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ConsoleSessionSuccess"];
            };
        };
        /** @description The session has ended */
        ConsoleClosedResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "Set-Cookie": components["headers"]["SetCookie"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": null
                 *     }
                 */
                "application/json": components["schemas"]["DoneSuccess"];
            };
        };
        /** @description The username or the password is wrong, or more is required */
        SignInRefusedResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 401,
                 *       "message": "a code of the second factor is required",
                 *       "data": {
                 *         "required": "second_factor",
                 *         "methods": [
                 *           "totp",
                 *           "recovery"
                 *         ]
                 *       },
                 *       "reason": "auth.second_factor_required",
                 *       "params": {}
                 *     }
                 */
                "application/json": components["schemas"]["SignInRefusedFailure"];
            };
        };
        /** @description The profile */
        MeResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "id": 12,
                 *         "username": "li.na",
                 *         "name": "Li Na",
                 *         "mail": "li.na@example.com",
                 *         "language": "zh-CN",
                 *         "theme": "dark",
                 *         "roles": [
                 *           {
                 *             "id": 2,
                 *             "name": "user",
                 *             "keyword": "user",
                 *             "sort": 3
                 *           }
                 *         ],
                 *         "rank": 3,
                 *         "secondFactor": true,
                 *         "mustChangePassword": false,
                 *         "required": null,
                 *         "session": {
                 *           "id": "7b1f8f5e-3c43-4c0f-9a53-0b2c4a1d9e10",
                 *           "kind": "cookie",
                 *           "secure": true,
                 *           "endsAt": "2025-03-05T20:00:00.000Z"
                 *         },
                 *         "version": "0.1.0"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["MeSuccess"];
            };
        };
        /** @description What the caller may do */
        GrantsResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "operations": [
                 *           "getMe",
                 *           "getMyGrants",
                 *           "getUserInfo",
                 *           "changeOwnPassword"
                 *         ],
                 *         "menus": [
                 *           {
                 *             "id": 4,
                 *             "parentId": 0,
                 *             "name": "Users",
                 *             "title": "Users",
                 *             "path": "/people/users",
                 *             "icon": "user",
                 *             "sort": 11
                 *           }
                 *         ],
                 *         "rank": 3
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["GrantsSuccess"];
            };
        };
        /** @description The password was reset */
        PasswordResetResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "password": null,
                 *         "mail": "li.na@example.com",
                 *         "expiresAt": "2025-03-06T08:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PasswordResetSuccess"];
            };
        };
        /** @description The result for each user */
        PasswordsResetResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "dryRun": false,
                 *         "effect": {
                 *           "changed": 1,
                 *           "unchanged": 0,
                 *           "refused": 1,
                 *           "sessionsEnded": 2,
                 *           "membershipsEnded": 0,
                 *           "membershipsAdded": 0,
                 *           "administrators": 0
                 *         },
                 *         "expiresAt": "2025-03-06T08:00:00.000Z",
                 *         "people": [
                 *           {
                 *             "id": 12,
                 *             "name": "Ann Lee",
                 *             "result": "changed",
                 *             "reason": null,
                 *             "params": {},
                 *             "message": null,
                 *             "username": "ann",
                 *             "password": null
                 *           },
                 *           {
                 *             "id": 31,
                 *             "name": "Bob Ray",
                 *             "result": "refused",
                 *             "reason": "people.user_without_mail",
                 *             "params": {},
                 *             "message": "this user has no mail address",
                 *             "username": "bob",
                 *             "password": null
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PasswordsResetSuccess"];
            };
        };
        /** @description The account is not locked any more */
        UnlockedResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "wasLocked": true
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["UnlockedSuccess"];
            };
        };
        /** @description The caller's second factor */
        SecondFactorResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "totp": "confirmed",
                 *         "confirmedAt": "2025-03-05T08:12:00.000Z",
                 *         "recoveryCodesLeft": 9,
                 *         "methods": [
                 *           "totp",
                 *           "recovery"
                 *         ],
                 *         "steppedUpUntil": null
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SecondFactorSuccess"];
            };
        };
        /** @description The secret, which only this response contains */
        TotpSecretResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "secret": "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
                 *         "uri": "otpauth://totp/Steward:li.na?issuer=Steward&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30",
                 *         "qr": "data:image/svg+xml;base64,PHN2Zy8+"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["TotpSecretSuccess"];
            };
        };
        /** @description The codes, which only this response contains */
        RecoveryCodesResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "recoveryCodes": [
                 *           "kq3d-7xpa-m2te-h5wz-b4kd-2ryq",
                 *           "2bnf-ru6c-yl4s-o7vg-x3mt-6qaz"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["RecoveryCodesSuccess"];
            };
        };
        /** @description The session is stepped up */
        SteppedUpResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "steppedUpUntil": "2025-03-05T08:17:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SteppedUpSuccess"];
            };
        };
        /** @description Sessions, the most recently used first */
        SessionsResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": [
                 *         {
                 *           "id": "7b1f8f5e-3c43-4c0f-9a53-0b2c4a1d9e10",
                 *           "createdAt": "2025-03-05T08:00:00.000Z",
                 *           "lastUsedAt": "2025-03-05T08:12:00.000Z",
                 *           "address": "192.0.2.10",
                 *           "userAgent": "Mozilla/5.0",
                 *           "current": true,
                 *           "steppedUpUntil": null
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["SessionsSuccess"];
            };
        };
        /** @description The process runs */
        LivenessResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "status": "live",
                 *         "version": "0.1.0"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["LivenessSuccess"];
            };
        };
        /** @description The service is ready */
        ReadinessResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 200,
                 *       "message": "success",
                 *       "data": {
                 *         "status": "ready"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ReadinessSuccess"];
            };
        };
        /** @description The request is not valid */
        BadRequestResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 400,
                 *       "message": "password: is not your current password",
                 *       "data": [
                 *         {
                 *           "field": "password",
                 *           "message": "is not your current password",
                 *           "reason": "auth.wrong_password",
                 *           "params": {}
                 *         }
                 *       ],
                 *       "reason": "auth.wrong_password",
                 *       "params": {}
                 *     }
                 */
                "application/json": components["schemas"]["BadRequestFailure"];
            };
        };
        /** @description The token is missing or not valid, its user is disabled, or the second factor is missing */
        UnauthenticatedResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 401,
                 *       "message": "a second factor is required: step up, then repeat the request",
                 *       "data": {
                 *         "required": "second_factor",
                 *         "methods": [
                 *           "totp",
                 *           "recovery"
                 *         ],
                 *         "maxAge": 300
                 *       },
                 *       "reason": "access.step_up",
                 *       "params": {}
                 *     }
                 */
                "application/json": components["schemas"]["UnauthenticatedFailure"];
            };
        };
        /** @description The caller's roles do not grant this */
        ForbiddenResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 403,
                 *       "message": "none of your roles grants this operation",
                 *       "data": null,
                 *       "reason": "access.not_granted",
                 *       "params": {}
                 *     }
                 */
                "application/json": components["schemas"]["ForbiddenFailure"];
            };
        };
        /** @description The record does not exist */
        NotFoundResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 404,
                 *       "message": "id: run 58 does not exist",
                 *       "data": [
                 *         {
                 *           "field": "id",
                 *           "message": "run 58 does not exist",
                 *           "reason": "sync.run_not_found",
                 *           "params": {
                 *             "id": "58"
                 *           }
                 *         }
                 *       ],
                 *       "reason": "sync.run_not_found",
                 *       "params": {
                 *         "id": "58"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["NotFoundFailure"];
            };
        };
        /** @description Another operation is in progress, or the decision was already made */
        ConflictResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 409,
                 *       "message": "run 58 is no longer held",
                 *       "data": null,
                 *       "reason": "sync.run_not_held_any_more",
                 *       "params": {
                 *         "id": "58"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ConflictFailure"];
            };
        };
        /** @description The source is busy with another run */
        SourceBusyResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 409,
                 *       "message": "exta is busy with run 58: try again when it has ended",
                 *       "data": null,
                 *       "reason": "sync.source_busy",
                 *       "params": {
                 *         "source": "exta",
                 *         "id": "58"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ConflictFailure"];
            };
        };
        /** @description The body is too large */
        TooLargeResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 413,
                 *       "message": "the body is too large",
                 *       "data": null,
                 *       "reason": "contract.body_too_large",
                 *       "params": {}
                 *     }
                 */
                "application/json": components["schemas"]["TooLargeFailure"];
            };
        };
        /** @description The body is not JSON */
        UnsupportedMediaResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 415,
                 *       "message": "the body must be application/json, and not compressed",
                 *       "data": null,
                 *       "reason": "contract.media_type",
                 *       "params": {}
                 *     }
                 */
                "application/json": components["schemas"]["UnsupportedMediaFailure"];
            };
        };
        /** @description Too many requests, or too many wrong passwords */
        LimitedResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 429,
                 *       "message": "too many requests",
                 *       "data": null,
                 *       "reason": "service.limited",
                 *       "params": {}
                 *     }
                 */
                "application/json": components["schemas"]["LimitedFailure"];
            };
        };
        /** @description An internal error */
        InternalErrorResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 500,
                 *       "message": "internal error, request 0b6f3f6e-8b0e-4c62-9d2f-8f6b1d0f1c11",
                 *       "data": null,
                 *       "reason": "service.internal",
                 *       "params": {
                 *         "request": "0b6f3f6e-8b0e-4c62-9d2f-8f6b1d0f1c11"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["InternalErrorFailure"];
            };
        };
        /** @description The source refused or failed */
        SourceFailedResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 502,
                 *       "message": "DingTalk refused the members of a department: 88/60011. Grant qyapi_get_department_member.",
                 *       "data": null,
                 *       "reason": "sync.source_failed",
                 *       "params": {
                 *         "problem": "DingTalk refused the members of a department: 88/60011. Grant qyapi_get_department_member."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SourceFailedFailure"];
            };
        };
        /** @description The service is not ready, or the source is not configured */
        UnavailableResponse: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": 503,
                 *       "message": "ExtA is not configured: set EXTA_CONNECTOR and the settings of that connector",
                 *       "data": null,
                 *       "reason": "sync.exta_not_configured",
                 *       "params": {}
                 *     }
                 */
                "application/json": components["schemas"]["UnavailableFailure"];
            };
        };
    };
    parameters: {
        /**
         * @description 1 for the main directory, or the number in the settings of a further one (2 for `LDAP_2_URL`)
         * @example 1
         */
        DirectoryNumber: number;
        /**
         * @description The run's id
         * @example 58
         */
        RunId: components["schemas"]["Id"];
        /**
         * @description The slot
         * @example exta
         */
        Source: components["schemas"]["Slot"];
        /** @description Requests that began at this time or later */
        LogFrom: string;
        /** @description Requests that began before this time */
        LogTo: string;
        /** @description The complete username of the caller, or their id */
        LogUser: string;
        /** @description The start of the path, if the value begins with `/`; otherwise a part of it */
        LogPath: string;
        /** @description Exactly this method; `SEAL` for entries that the log wrote about itself */
        LogMethod: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "SEAL";
        /** @description `true`: only entries of requests that may change something, no reads and no previews */
        LogChanges: boolean;
        /** @description Exactly this result */
        LogResultFilter: components["schemas"]["LogResult"];
        /** @description Exactly this code of the envelope, for example 403 */
        LogStatus: number;
        /** @description The start of the caller's address */
        LogAddress: string;
        /**
         * @description A record that the operation touched, as its kind and id. An operation may take ids of several kinds, which its
         *     entry does not tell apart: such an entry matches each kind. A request that names more than 100
         *     records has several entries.
         * @example user:12
         */
        LogRecord: string;
        /** @description A part of the username, the address, the path or the method */
        LogText: string;
        /** @description Exactly this kind */
        WorkKindFilter: components["schemas"]["WorkKind"];
        /** @description Exactly the work with this id; needs `kind` */
        WorkIdFilter: components["schemas"]["Id"];
        /** @description A part of a name */
        FoodText: string;
        /**
         * @description An allergy as it is written in a plan
         * @example peanuts
         */
        AllergyWord: string;
        /** @description Leaves out what contains any of these allergens; repeat the parameter for several allergens */
        WithoutAllergens: components["schemas"]["Allergen"][];
        /** @description The page, counted from 1 */
        CataloguePageNum: number;
        /** @description Records per page */
        CataloguePageSize: number;
        /**
         * @description The service account's id
         * @example 3
         */
        ServiceAccountId: components["schemas"]["Id"];
        /**
         * @description The device's id
         * @example 3
         */
        DeviceId: components["schemas"]["Id"];
        /**
         * @description The backup's id
         * @example 4
         */
        BackupId: components["schemas"]["Id"];
        /**
         * @description The user's id
         * @example 12
         */
        UserId: components["schemas"]["Id"];
        /**
         * @description The session's id
         * @example 7b1f8f5e-3c43-4c0f-9a53-0b2c4a1d9e10
         */
        SessionIdParameter: components["schemas"]["SessionId"];
        /**
         * @description The department's id
         * @example 4
         */
        DepartmentId: components["schemas"]["Id"];
        /**
         * @description The role's id
         * @example 2
         */
        RoleId: components["schemas"]["Id"];
        /**
         * @description The API entry's id
         * @example 9
         */
        ApiId: components["schemas"]["Id"];
        /**
         * @description A part of the username, name, given name, mail address, mobile number or job number, ignoring case. A text of
         *     one or two characters has to be at the beginning of a word.
         */
        PeopleSearch: components["schemas"]["SearchText"];
        /**
         * @description A declared attribute and a part of its value, as `name=text`. Ignores the case of the text. Without a text,
         *     records with any value are listed.
         * @example costCentre=47
         */
        AttributeFilter: string;
        /**
         * @description Names of declared attributes, separated by commas, whose values are returned with each record. An attribute that
         *     is not declared or that the caller may not see has no values.
         * @example costCentre,floor
         */
        ShownAttributes: string;
        /**
         * @description The attribute's id
         * @example 3
         */
        AttributeId: components["schemas"]["Id"];
        /** @description A part of the name or remark, ignoring case. A text of one or two characters has to be at the beginning of a word. */
        DepartmentSearch: components["schemas"]["SearchText"];
        /** @description The field that the list is sorted by; `username` if absent */
        PeopleSort: components["schemas"]["PeopleOrder"];
        /** @description The direction of sorting; `asc` if absent */
        SortOrder: components["schemas"]["SortDirection"];
        /** @description People who have the role with this id */
        RoleFilter: components["schemas"]["Id"];
        /** @description Exactly this status */
        StatusFilter: components["schemas"]["PersonStatus"];
        /** @description People who were imported from this source; `local` for people who were not imported */
        SourceFilter: string;
        /** @description Exactly this state of the directory entry */
        SyncFilter: components["schemas"]["EntrySync"];
        /** @description Members of the department with this id */
        DepartmentFilter: components["schemas"]["Id"];
        /** @description With `department`, also the members of all departments below it */
        SubtreeFilter: boolean;
        /** @description The id of the department whose children are listed; absent for the departments at the top */
        ParentFilter: components["schemas"]["Id"];
        /** @description The `next` or `previous` of an earlier response with the same filters and the same order, otherwise it is refused; absent for the first page */
        Cursor: string;
        /** @description Records per page; 50 if absent */
        Limit: number;
        /** @description The page, counted from 1. Without `pageSize`, a page has 10 records. */
        PageNum: number;
        /** @description Records per page. Without `pageNum` and `pageSize`, all records are returned. */
        PageSize: number;
    };
    requestBodies: never;
    headers: {
        /**
         * @description The file's name
         * @example attachment; filename="2025-03-05T10-15-00Z-1f3a9c.backup"
         */
        ContentDisposition: string;
        /**
         * @description The cookie of the session, or its removal
         * @example __Host-steward=eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxIn0.kZ3n0d5t9qXv; Path=/; HttpOnly; SameSite=Strict; Secure
         */
        SetCookie: string;
        /**
         * @description The id of the request; quote it when you report a problem
         * @example 0c1f8e52-7a41-4a5e-9a37-0f9d3b6c2e11
         */
        RequestId: string;
        /**
         * @description How to authenticate (RFC 6750); if the second factor is missing, `Bearer error="insufficient_user_authentication", max_age=300` (RFC 9470)
         * @example Bearer
         */
        WwwAuthenticate: string;
        /**
         * @description Seconds to wait before the next attempt
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
    listRuns: {
        parameters: {
            query?: {
                /** @description The page, counted from 1. Without `pageSize`, a page has 10 records. */
                pageNum?: components["parameters"]["PageNum"];
                /** @description Records per page. Without `pageNum` and `pageSize`, all records are returned. */
                pageSize?: components["parameters"]["PageSize"];
                /** @description Exactly this source */
                source?: components["schemas"]["RunSource"];
                /** @description Exactly this kind */
                kind?: components["schemas"]["RunKind"];
                /** @description Exactly this state */
                state?: components["schemas"]["RunState"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RunListResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    compareDirectory: {
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
                 *       "kind": "users",
                 *       "dryRun": false
                 *     }
                 */
                "application/json": components["schemas"]["CompareDirectory"];
            };
        };
        responses: {
            200: components["responses"]["RunResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            409: components["responses"]["SourceBusyResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            500: components["responses"]["InternalErrorResponse"];
            502: components["responses"]["RunFailedResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    listDirectories: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["DirectoryListResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    listPendingEntries: {
        parameters: {
            query?: {
                /** @description The page, counted from 1. Without `pageSize`, a page has 10 records. */
                pageNum?: components["parameters"]["PageNum"];
                /** @description Records per page; 10 if absent */
                pageSize?: number;
                /** @description Exactly this state */
                state?: components["schemas"]["PendingState"];
            };
            header?: never;
            path: {
                /**
                 * @description 1 for the main directory, or the number in the settings of a further one (2 for `LDAP_2_URL`)
                 * @example 1
                 */
                directory: components["parameters"]["DirectoryNumber"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["PendingEntryListResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    getGroupLayout: {
        parameters: {
            query?: {
                /** @description The page, counted from 1. Without `pageSize`, a page has 10 records. */
                pageNum?: components["parameters"]["PageNum"];
                /** @description Groups per page; 10 if absent */
                pageSize?: number;
            };
            header?: never;
            path: {
                /**
                 * @description 1 for the main directory, or the number in the settings of a further one (2 for `LDAP_2_URL`)
                 * @example 1
                 */
                directory: components["parameters"]["DirectoryNumber"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["GroupLayoutResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            429: components["responses"]["LimitedResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    changeGroupLayout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description 1 for the main directory, or the number in the settings of a further one (2 for `LDAP_2_URL`)
                 * @example 1
                 */
                directory: components["parameters"]["DirectoryNumber"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "planHash": "5f1c8f2a3d0b7e4496a1c25d8b9e7f60413a2b8c9d0e1f5a6b7c8d9e0f1a2b3c",
                 *       "confirmed": true
                 *     }
                 */
                "application/json": components["schemas"]["ChangeGroupLayout"];
            };
        };
        responses: {
            200: components["responses"]["RunResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            409: components["responses"]["ConflictResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            429: components["responses"]["LimitedResponse"];
            500: components["responses"]["InternalErrorResponse"];
            502: components["responses"]["RunFailedResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    getRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The run's id
                 * @example 58
                 */
                id: components["parameters"]["RunId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RunResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    listRunChanges: {
        parameters: {
            query?: {
                /** @description The page, counted from 1. Without `pageSize`, a page has 10 records. */
                pageNum?: components["parameters"]["PageNum"];
                /** @description Records per page. Without `pageNum` and `pageSize`, all records are returned. */
                pageSize?: components["parameters"]["PageSize"];
                /** @description Exactly this action */
                action?: components["schemas"]["ChangeAction"];
                /** @description Exactly this state */
                state?: components["schemas"]["ChangeState"];
            };
            header?: never;
            path: {
                /**
                 * @description The run's id
                 * @example 58
                 */
                id: components["parameters"]["RunId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ChangeListResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    confirmRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The run's id
                 * @example 58
                 */
                id: components["parameters"]["RunId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "planHash": "5f1c8f2a3d0b7e4496a1c25d8b9e7f60413a2b8c9d0e1f5a6b7c8d9e0f1a2b3c"
                 *     }
                 */
                "application/json": components["schemas"]["ConfirmRun"];
            };
        };
        responses: {
            200: components["responses"]["RunResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            409: components["responses"]["ConflictResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            500: components["responses"]["InternalErrorResponse"];
            502: components["responses"]["RunFailedResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    discardRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The run's id
                 * @example 58
                 */
                id: components["parameters"]["RunId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RunResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            409: components["responses"]["ConflictResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    listSources: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["SourcesResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    startDryRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The slot
                 * @example exta
                 */
                source: components["parameters"]["Source"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "kind": "users"
                 *     }
                 */
                "application/json": components["schemas"]["StartDryRun"];
            };
        };
        responses: {
            200: components["responses"]["RunResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            409: components["responses"]["SourceBusyResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            500: components["responses"]["InternalErrorResponse"];
            502: components["responses"]["RunFailedResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    diagnoseSource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The slot
                 * @example exta
                 */
                source: components["parameters"]["Source"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["DiagnosisResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            429: components["responses"]["LimitedResponse"];
            500: components["responses"]["InternalErrorResponse"];
            502: components["responses"]["SourceFailedResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    previewMapping: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The slot
                 * @example exta
                 */
                source: components["parameters"]["Source"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "kind": "users",
                 *       "attributes": {
                 *         "username": "before(org_email, \"@\")",
                 *         "nickname": "name",
                 *         "mail": "org_email ?? email"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PreviewMapping"];
            };
        };
        responses: {
            200: components["responses"]["MappingPreviewResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            429: components["responses"]["LimitedResponse"];
            500: components["responses"]["InternalErrorResponse"];
            502: components["responses"]["SourceFailedResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    listSchedules: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["SchedulesResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    listLogEntries: {
        parameters: {
            query: {
                /** @description Requests that began at this time or later */
                from?: components["parameters"]["LogFrom"];
                /** @description Requests that began before this time */
                to?: components["parameters"]["LogTo"];
                /** @description The complete username of the caller, or their id */
                user?: components["parameters"]["LogUser"];
                /**
                 * @description A record that the operation touched, as its kind and id. An operation may take ids of several kinds, which its
                 *     entry does not tell apart: such an entry matches each kind. A request that names more than 100
                 *     records has several entries.
                 * @example user:12
                 */
                record?: components["parameters"]["LogRecord"];
                /** @description The start of the path, if the value begins with `/`; otherwise a part of it */
                path?: components["parameters"]["LogPath"];
                /** @description Exactly this method; `SEAL` for entries that the log wrote about itself */
                method?: components["parameters"]["LogMethod"];
                /** @description `true`: only entries of requests that may change something, no reads and no previews */
                changes: components["parameters"]["LogChanges"];
                /** @description Exactly this result */
                result?: components["parameters"]["LogResultFilter"];
                /** @description Exactly this code of the envelope, for example 403 */
                status?: components["parameters"]["LogStatus"];
                /** @description The start of the caller's address */
                ip?: components["parameters"]["LogAddress"];
                /** @description A part of the username, the address, the path or the method */
                q?: components["parameters"]["LogText"];
                /** @description The `next` of the page before, with whatever filters: only what has a lower id is listed; absent for the newest page */
                cursor?: components["schemas"]["Id"];
                /** @description Entries per page */
                limit: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["LogPageResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    exportLog: {
        parameters: {
            query: {
                /** @description The format of the file */
                format: "csv" | "ndjson";
                /** @description Requests that began at this time or later */
                from?: components["parameters"]["LogFrom"];
                /** @description Requests that began before this time */
                to?: components["parameters"]["LogTo"];
                /** @description The complete username of the caller, or their id */
                user?: components["parameters"]["LogUser"];
                /**
                 * @description A record that the operation touched, as its kind and id. An operation may take ids of several kinds, which its
                 *     entry does not tell apart: such an entry matches each kind. A request that names more than 100
                 *     records has several entries.
                 * @example user:12
                 */
                record?: components["parameters"]["LogRecord"];
                /** @description The start of the path, if the value begins with `/`; otherwise a part of it */
                path?: components["parameters"]["LogPath"];
                /** @description Exactly this method; `SEAL` for entries that the log wrote about itself */
                method?: components["parameters"]["LogMethod"];
                /** @description `true`: only entries of requests that may change something, no reads and no previews */
                changes: components["parameters"]["LogChanges"];
                /** @description Exactly this result */
                result?: components["parameters"]["LogResultFilter"];
                /** @description Exactly this code of the envelope, for example 403 */
                status?: components["parameters"]["LogStatus"];
                /** @description The start of the caller's address */
                ip?: components["parameters"]["LogAddress"];
                /** @description A part of the username, the address, the path or the method */
                q?: components["parameters"]["LogText"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Content-Disposition": components["headers"]["ContentDisposition"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            429: components["responses"]["LimitedResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    getLogChain: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["LogChainResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    verifyLog: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["WorkResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    getLogEntry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The entry's id
                 * @example 40217
                 */
                id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["LogEntryResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    watchProgress: {
        parameters: {
            query?: {
                /** @description Exactly this kind */
                kind?: components["parameters"]["WorkKindFilter"];
                /** @description Exactly the work with this id; needs `kind` */
                id?: components["parameters"]["WorkIdFilter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            429: components["responses"]["LimitedResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    getProgress: {
        parameters: {
            query?: {
                /** @description Exactly this kind */
                kind?: components["parameters"]["WorkKindFilter"];
                /** @description Exactly the work with this id; needs `kind` */
                id?: components["parameters"]["WorkIdFilter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ProgressResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    watchNotices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            429: components["responses"]["LimitedResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    listNotices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["NoticeListResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    getOverview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["OverviewResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    listFirstSteps: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["FirstStepsResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    getScore: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ScoreResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    searchAlerts: {
        parameters: {
            query: {
                /** @description With `true` only handled alerts, with `false` only open alerts */
                handled?: boolean;
                /** @description Exactly this level */
                level?: components["schemas"]["AlertLevel"];
                /** @description Alerts that were raised at this time or later */
                from?: string;
                /** @description Alerts that were raised before this time */
                to?: string;
                /** @description The `next` of the page before, with whatever filters: only what has a lower id is listed; absent for the newest page */
                cursor?: components["schemas"]["Id"];
                /** @description Records per page */
                limit: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AlertPageResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    handleAlerts: {
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
                 *       "ids": [
                 *         12,
                 *         15
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["HandleAlerts"];
            };
        };
        responses: {
            200: components["responses"]["HandledAlertsResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    searchFoods: {
        parameters: {
            query: {
                /** @description A part of a name */
                q?: components["parameters"]["FoodText"];
                /** @description Leaves out what contains any of these allergens; repeat the parameter for several allergens */
                without?: components["parameters"]["WithoutAllergens"];
                /** @description The page, counted from 1 */
                pageNum: components["parameters"]["CataloguePageNum"];
                /** @description Records per page */
                pageSize: components["parameters"]["CataloguePageSize"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["FoodListResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    searchRecipes: {
        parameters: {
            query: {
                /** @description A part of a name */
                q?: components["parameters"]["FoodText"];
                /** @description Leaves out what contains any of these allergens; repeat the parameter for several allergens */
                without?: components["parameters"]["WithoutAllergens"];
                /** @description At most this many kcal per serving */
                maxCalories?: number;
                /** @description The page, counted from 1 */
                pageNum: components["parameters"]["CataloguePageNum"];
                /** @description Records per page */
                pageSize: components["parameters"]["CataloguePageSize"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RecipeListResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    listDietDays: {
        parameters: {
            query: {
                /** @description The first date; today if absent */
                from?: components["schemas"]["CalendarDate"];
                /** @description The number of days */
                days: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["DietDaysResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    previewDietDay: {
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
                 *       "meals": [
                 *         {
                 *           "ingredients": [
                 *             {
                 *               "name": "milk",
                 *               "amount": "250ml"
                 *             }
                 *           ]
                 *         }
                 *       ],
                 *       "allergies": [
                 *         "milk"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["PreviewDietDay"];
            };
        };
        responses: {
            200: components["responses"]["DietPreviewResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            429: components["responses"]["LimitedResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    explainAllergy: {
        parameters: {
            query: {
                /**
                 * @description An allergy as it is written in a plan
                 * @example peanuts
                 */
                word: components["parameters"]["AllergyWord"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AllergyResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    listOrphans: {
        parameters: {
            query?: {
                /** @description The page, counted from 1. Without `pageSize`, a page has 10 records. */
                pageNum?: components["parameters"]["PageNum"];
                /** @description Entries per page; 10 if absent */
                pageSize?: number;
                /** @description The state of the entries; `open` if absent */
                state?: components["schemas"]["OrphanState"];
                /** @description Exactly this kind */
                kind?: components["schemas"]["OrphanKind"];
                /** @description Part of the DN */
                text?: components["schemas"]["OrphanText"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["OrphanListResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            429: components["responses"]["LimitedResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    previewOrphans: {
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
                 *       "action": "adopt",
                 *       "filter": {
                 *         "kind": "user",
                 *         "text": "ou=people"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PreviewOrphans"];
            };
        };
        responses: {
            200: components["responses"]["OrphanPreviewResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            409: components["responses"]["ConflictResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            429: components["responses"]["LimitedResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    adoptOrphans: {
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
                 *       "dns": [
                 *         "uid=ann,ou=people,dc=example,dc=org"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["SelectOrphans"];
            };
        };
        responses: {
            200: components["responses"]["OrphansChangedResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            409: components["responses"]["ConflictResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            429: components["responses"]["LimitedResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    ignoreOrphans: {
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
                 *       "dns": [
                 *         "uid=svc-vpn,ou=people,dc=example,dc=org"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["SelectOrphans"];
            };
        };
        responses: {
            200: components["responses"]["OrphansChangedResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            409: components["responses"]["ConflictResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            429: components["responses"]["LimitedResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    heedOrphans: {
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
                 *       "dns": [
                 *         "uid=svc-vpn,ou=people,dc=example,dc=org"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["HeedOrphans"];
            };
        };
        responses: {
            200: components["responses"]["OrphansChangedResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            409: components["responses"]["ConflictResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    listPeople: {
        parameters: {
            query?: {
                /**
                 * @description A part of the username, name, given name, mail address, mobile number or job number, ignoring case. A text of
                 *     one or two characters has to be at the beginning of a word.
                 */
                q?: components["parameters"]["PeopleSearch"];
                /** @description The field that the list is sorted by; `username` if absent */
                sort?: components["parameters"]["PeopleSort"];
                /** @description The direction of sorting; `asc` if absent */
                order?: components["parameters"]["SortOrder"];
                /** @description People who have the role with this id */
                role?: components["parameters"]["RoleFilter"];
                /** @description Exactly this status */
                status?: components["parameters"]["StatusFilter"];
                /** @description People who were imported from this source; `local` for people who were not imported */
                source?: components["parameters"]["SourceFilter"];
                /** @description Exactly this state of the directory entry */
                sync?: components["parameters"]["SyncFilter"];
                /** @description Members of the department with this id */
                department?: components["parameters"]["DepartmentFilter"];
                /** @description With `department`, also the members of all departments below it */
                subtree?: components["parameters"]["SubtreeFilter"];
                /**
                 * @description A declared attribute and a part of its value, as `name=text`. Ignores the case of the text. Without a text,
                 *     records with any value are listed.
                 * @example costCentre=47
                 */
                attribute?: components["parameters"]["AttributeFilter"];
                /**
                 * @description Names of declared attributes, separated by commas, whose values are returned with each record. An attribute that
                 *     is not declared or that the caller may not see has no values.
                 * @example costCentre,floor
                 */
                show?: components["parameters"]["ShownAttributes"];
                /** @description The `next` or `previous` of an earlier response with the same filters and the same order, otherwise it is refused; absent for the first page */
                cursor?: components["parameters"]["Cursor"];
                /** @description Records per page; 50 if absent */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["PersonListResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    getPerson: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The user's id
                 * @example 12
                 */
                id: components["parameters"]["UserId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["PersonResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    explainGrant: {
        parameters: {
            query?: {
                /** @description The `operationId` of one operation */
                operation?: components["schemas"]["OperationName"];
            };
            header?: never;
            path: {
                /**
                 * @description The user's id
                 * @example 12
                 */
                id: components["parameters"]["UserId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["GrantListResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    retryPerson: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The user's id
                 * @example 12
                 */
                id: components["parameters"]["UserId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["EntryStateResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    changePeople: {
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
                 *       "action": "disable",
                 *       "ids": [
                 *         12,
                 *         31
                 *       ],
                 *       "dryRun": true
                 *     }
                 */
                "application/json": components["schemas"]["ChangePeople"];
            };
        };
        responses: {
            200: components["responses"]["PeopleChangedResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            409: components["responses"]["ConflictResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    listDepartments: {
        parameters: {
            query?: {
                /** @description The id of the department whose children are listed; absent for the departments at the top */
                parent?: components["parameters"]["ParentFilter"];
                /** @description A part of the name or remark, ignoring case. A text of one or two characters has to be at the beginning of a word. */
                q?: components["parameters"]["DepartmentSearch"];
                /**
                 * @description A declared attribute and a part of its value, as `name=text`. Ignores the case of the text. Without a text,
                 *     records with any value are listed.
                 * @example costCentre=47
                 */
                attribute?: components["parameters"]["AttributeFilter"];
                /**
                 * @description Names of declared attributes, separated by commas, whose values are returned with each record. An attribute that
                 *     is not declared or that the caller may not see has no values.
                 * @example costCentre,floor
                 */
                show?: components["parameters"]["ShownAttributes"];
                /** @description The `next` or `previous` of an earlier response with the same filters and the same order, otherwise it is refused; absent for the first page */
                cursor?: components["parameters"]["Cursor"];
                /** @description Records per page; 50 if absent */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["DepartmentListResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    getDepartment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The department's id
                 * @example 4
                 */
                id: components["parameters"]["DepartmentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["DepartmentResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    getDepartmentPath: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The department's id
                 * @example 4
                 */
                id: components["parameters"]["DepartmentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["DepartmentPathResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    moveDepartment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The department's id
                 * @example 4
                 */
                id: components["parameters"]["DepartmentId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "parent": 8,
                 *       "dryRun": true
                 *     }
                 */
                "application/json": components["schemas"]["MoveDepartment"];
            };
        };
        responses: {
            200: components["responses"]["DepartmentMoveResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            409: components["responses"]["ConflictResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    listMembers: {
        parameters: {
            query?: {
                /** @description With `false`, people who are not members; `true` if absent */
                member?: boolean;
                /**
                 * @description A part of the username, name, given name, mail address, mobile number or job number, ignoring case. A text of
                 *     one or two characters has to be at the beginning of a word.
                 */
                q?: components["parameters"]["PeopleSearch"];
                /** @description The field that the list is sorted by; `username` if absent */
                sort?: components["parameters"]["PeopleSort"];
                /** @description The direction of sorting; `asc` if absent */
                order?: components["parameters"]["SortOrder"];
                /** @description The `next` or `previous` of an earlier response with the same filters and the same order, otherwise it is refused; absent for the first page */
                cursor?: components["parameters"]["Cursor"];
                /** @description Records per page; 50 if absent */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path: {
                /**
                 * @description The department's id
                 * @example 4
                 */
                id: components["parameters"]["DepartmentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["PersonListResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    retryDepartment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The department's id
                 * @example 4
                 */
                id: components["parameters"]["DepartmentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["EntryStateResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    listAttributes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AttributeListResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    declareAttribute: {
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
                 *       "kind": "user",
                 *       "name": "costCentre",
                 *       "labels": {
                 *         "en": "Cost centre",
                 *         "zh-CN": "成本中心"
                 *       },
                 *       "type": "text",
                 *       "maximum": 20,
                 *       "own": "see",
                 *       "ldapAttribute": "roomNumber"
                 *     }
                 */
                "application/json": components["schemas"]["DeclareAttribute"];
            };
        };
        responses: {
            200: components["responses"]["AttributeResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            409: components["responses"]["ConflictResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    updateAttribute: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The attribute's id
                 * @example 3
                 */
                id: components["parameters"]["AttributeId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "labels": {
                 *         "en": "Cost center",
                 *         "zh-CN": "成本中心"
                 *       },
                 *       "searched": true
                 *     }
                 */
                "application/json": components["schemas"]["UpdateAttribute"];
            };
        };
        responses: {
            200: components["responses"]["AttributeResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            409: components["responses"]["ConflictResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    removeAttribute: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The attribute's id
                 * @example 3
                 */
                id: components["parameters"]["AttributeId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AttributeRemovedResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    getPersonAttributes: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The user's id
                 * @example 12
                 */
                id: components["parameters"]["UserId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AttributeValuesResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    setPersonAttributes: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The user's id
                 * @example 12
                 */
                id: components["parameters"]["UserId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "values": {
                 *         "costCentre": [
                 *           "4711"
                 *         ],
                 *         "languages": [
                 *           "de",
                 *           "zh"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SetAttributeValues"];
            };
        };
        responses: {
            200: components["responses"]["DoneResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            409: components["responses"]["ConflictResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    getDepartmentAttributes: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The department's id
                 * @example 4
                 */
                id: components["parameters"]["DepartmentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AttributeValuesResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    setDepartmentAttributes: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The department's id
                 * @example 4
                 */
                id: components["parameters"]["DepartmentId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "values": {
                 *         "costCentre": [
                 *           "4711"
                 *         ],
                 *         "languages": [
                 *           "de",
                 *           "zh"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SetAttributeValues"];
            };
        };
        responses: {
            200: components["responses"]["DoneResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            409: components["responses"]["ConflictResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    getPersonPosix: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The user's id
                 * @example 12
                 */
                id: components["parameters"]["UserId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["PosixAccountResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    setPersonPosix: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The user's id
                 * @example 12
                 */
                id: components["parameters"]["UserId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "number": 10412
                 *     }
                 */
                "application/json": components["schemas"]["SetPosixNumber"];
            };
        };
        responses: {
            200: components["responses"]["DoneResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            409: components["responses"]["ConflictResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    getDepartmentPosix: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The department's id
                 * @example 4
                 */
                id: components["parameters"]["DepartmentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["PosixGroupResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    setDepartmentPosix: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The department's id
                 * @example 4
                 */
                id: components["parameters"]["DepartmentId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "enabled": true
                 *     }
                 */
                "application/json": components["schemas"]["SetPosixGroup"];
            };
        };
        responses: {
            200: components["responses"]["DoneResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            409: components["responses"]["ConflictResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    listPersonSshKeys: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The user's id
                 * @example 12
                 */
                id: components["parameters"]["UserId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["SshKeyListResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    addPersonSshKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The user's id
                 * @example 12
                 */
                id: components["parameters"]["UserId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Laptop",
                 *       "key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHrnkbhO0CvkpdDkXNVNdw5G6BCf5xwvNYgwUOUmr3Wm ann@laptop"
                 *     }
                 */
                "application/json": components["schemas"]["AddSshKey"];
            };
        };
        responses: {
            200: components["responses"]["SshKeyResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            409: components["responses"]["ConflictResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    removePersonSshKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The user's id
                 * @example 12
                 */
                id: components["parameters"]["UserId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "fingerprint": "SHA256:2hLKDKTLdUrD2KZVzIdmsRFKRlM7Tq3BZBpu8BCYbKA"
                 *     }
                 */
                "application/json": components["schemas"]["RemoveSshKey"];
            };
        };
        responses: {
            200: components["responses"]["DoneResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    listRoleHolders: {
        parameters: {
            query?: {
                /**
                 * @description A part of the username, name, given name, mail address, mobile number or job number, ignoring case. A text of
                 *     one or two characters has to be at the beginning of a word.
                 */
                q?: components["parameters"]["PeopleSearch"];
                /** @description The field that the list is sorted by; `username` if absent */
                sort?: components["parameters"]["PeopleSort"];
                /** @description The direction of sorting; `asc` if absent */
                order?: components["parameters"]["SortOrder"];
                /** @description The `next` or `previous` of an earlier response with the same filters and the same order, otherwise it is refused; absent for the first page */
                cursor?: components["parameters"]["Cursor"];
                /** @description Records per page; 50 if absent */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path: {
                /**
                 * @description The role's id
                 * @example 2
                 */
                id: components["parameters"]["RoleId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["PersonListResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    listApiHolders: {
        parameters: {
            query?: {
                /**
                 * @description A part of the username, name, given name, mail address, mobile number or job number, ignoring case. A text of
                 *     one or two characters has to be at the beginning of a word.
                 */
                q?: components["parameters"]["PeopleSearch"];
                /** @description The field that the list is sorted by; `username` if absent */
                sort?: components["parameters"]["PeopleSort"];
                /** @description The direction of sorting; `asc` if absent */
                order?: components["parameters"]["SortOrder"];
                /** @description The `next` or `previous` of an earlier response with the same filters and the same order, otherwise it is refused; absent for the first page */
                cursor?: components["parameters"]["Cursor"];
                /** @description Records per page; 50 if absent */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path: {
                /**
                 * @description The API entry's id
                 * @example 9
                 */
                id: components["parameters"]["ApiId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["PersonListResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    listServiceAccounts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ServiceAccountListResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    createServiceAccount: {
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
                 *       "name": "wiki",
                 *       "description": "The wiki of the editors",
                 *       "people": true,
                 *       "peopleFilter": "(memberOf=cn=Editors,dc=example,dc=org)"
                 *     }
                 */
                "application/json": components["schemas"]["CreateServiceAccount"];
            };
        };
        responses: {
            200: components["responses"]["ServicePasswordResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            409: components["responses"]["ConflictResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            429: components["responses"]["LimitedResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    updateServiceAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The service account's id
                 * @example 3
                 */
                id: components["parameters"]["ServiceAccountId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "enabled": false
                 *     }
                 */
                "application/json": components["schemas"]["UpdateServiceAccount"];
            };
        };
        responses: {
            200: components["responses"]["ServiceAccountResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            409: components["responses"]["ConflictResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    removeServiceAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The service account's id
                 * @example 3
                 */
                id: components["parameters"]["ServiceAccountId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["DoneResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    getServiceAccountRules: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The service account's id
                 * @example 3
                 */
                id: components["parameters"]["ServiceAccountId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ServiceAccountRulesResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    rotateServicePassword: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The service account's id
                 * @example 3
                 */
                id: components["parameters"]["ServiceAccountId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "oldUntil": "2026-12-01T08:00:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["RotateServicePassword"];
            };
        };
        responses: {
            200: components["responses"]["ServicePasswordResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            409: components["responses"]["ConflictResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            429: components["responses"]["LimitedResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    endOldServicePassword: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The service account's id
                 * @example 3
                 */
                id: components["parameters"]["ServiceAccountId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["DoneResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            409: components["responses"]["ConflictResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    listDevicesInFull: {
        parameters: {
            query: {
                /** @description The `next` of the page before; absent for the newest page */
                cursor?: components["schemas"]["Id"];
                /** @description Records per page */
                limit: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["DevicePageResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    registerDevice: {
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
                 *       "name": "Door of the server room",
                 *       "type": "door",
                 *       "location": "Building 2, basement"
                 *     }
                 */
                "application/json": components["schemas"]["RegisterDevice"];
            };
        };
        responses: {
            200: components["responses"]["RegisteredDeviceResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            409: components["responses"]["ConflictResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    updateDevice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The device's id
                 * @example 3
                 */
                id: components["parameters"]["DeviceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Back door of the server room"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateDevice"];
            };
        };
        responses: {
            200: components["responses"]["DoneResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            409: components["responses"]["ConflictResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    removeDevice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The device's id
                 * @example 3
                 */
                id: components["parameters"]["DeviceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["DoneResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    sendHeartbeat: {
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
                 *       "battery": 76
                 *     }
                 */
                "application/json": components["schemas"]["Heartbeat"];
            };
        };
        responses: {
            200: components["responses"]["HeardDeviceResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnknownDeviceResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            429: components["responses"]["LimitedResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    openConsoleSession: {
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
                 *       "password": "correct-horse-battery",
                 *       "code": "492039"
                 *     }
                 */
                "application/json": components["schemas"]["OpenConsoleSession"];
            };
        };
        responses: {
            200: components["responses"]["ConsoleSessionResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["SignInRefusedResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            429: components["responses"]["LimitedResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    closeConsoleSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ConsoleClosedResponse"];
            400: components["responses"]["BadRequestResponse"];
            403: components["responses"]["ForbiddenResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    sendSignInCode: {
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
                 *       "password": "correct-horse-battery"
                 *     }
                 */
                "application/json": components["schemas"]["SendSignInCode"];
            };
        };
        responses: {
            200: components["responses"]["LimitedDoneResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["SignInRefusedResponse"];
            409: components["responses"]["ConflictResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            429: components["responses"]["LimitedResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    setPasswordByLink: {
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
                 *       "token": "7qZ0wY3o4dN6kL1pQ9sT2vX5bC8mJ0rF_aE-hG3iK6u",
                 *       "newPassword": "plum-orbit-candle-7"
                 *     }
                 */
                "application/json": components["schemas"]["SetPasswordByLink"];
            };
        };
        responses: {
            200: components["responses"]["LimitedDoneResponse"];
            400: components["responses"]["BadRequestResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            429: components["responses"]["LimitedResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["MeResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    updateMe: {
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
                 *       "name": "Li Na",
                 *       "language": "zh-CN",
                 *       "theme": "dark"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateMe"];
            };
        };
        responses: {
            200: components["responses"]["DoneResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    sendMailProof: {
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
                "application/json": components["schemas"]["SendMailProof"];
            };
        };
        responses: {
            200: components["responses"]["LimitedDoneResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            409: components["responses"]["ConflictResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            429: components["responses"]["LimitedResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    confirmMail: {
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
                 *       "code": "402917"
                 *     }
                 */
                "application/json": components["schemas"]["ConfirmMail"];
            };
        };
        responses: {
            200: components["responses"]["DoneResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            409: components["responses"]["ConflictResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            429: components["responses"]["LimitedResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    getMyAttributes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AttributeValuesResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    setMyAttributes: {
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
                 *       "values": {
                 *         "languages": [
                 *           "de",
                 *           "zh"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SetAttributeValues"];
            };
        };
        responses: {
            200: components["responses"]["DoneResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            409: components["responses"]["ConflictResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    listMySshKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["SshKeyListResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    addMySshKey: {
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
                 *       "name": "Laptop",
                 *       "key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHrnkbhO0CvkpdDkXNVNdw5G6BCf5xwvNYgwUOUmr3Wm ann@laptop"
                 *     }
                 */
                "application/json": components["schemas"]["AddSshKey"];
            };
        };
        responses: {
            200: components["responses"]["SshKeyResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            409: components["responses"]["ConflictResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    removeMySshKey: {
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
                 *       "fingerprint": "SHA256:2hLKDKTLdUrD2KZVzIdmsRFKRlM7Tq3BZBpu8BCYbKA"
                 *     }
                 */
                "application/json": components["schemas"]["RemoveSshKey"];
            };
        };
        responses: {
            200: components["responses"]["DoneResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    getMyGrants: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["GrantsResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    resetUserPassword: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The user's id
                 * @example 12
                 */
                id: components["parameters"]["UserId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "way": "link"
                 *     }
                 */
                "application/json": components["schemas"]["ResetUserPassword"];
            };
        };
        responses: {
            200: components["responses"]["PasswordResetResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            409: components["responses"]["ConflictResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    resetUserPasswords: {
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
                 *       "way": "link",
                 *       "ids": [
                 *         12,
                 *         31
                 *       ],
                 *       "dryRun": true
                 *     }
                 */
                "application/json": components["schemas"]["ResetUserPasswords"];
            };
        };
        responses: {
            200: components["responses"]["PasswordsResetResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    unlockUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The user's id
                 * @example 12
                 */
                id: components["parameters"]["UserId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["UnlockedResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    getSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["SecondFactorResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    disableSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["DoneResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    enrolTotp: {
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
                 *       "password": "correct-horse-battery"
                 *     }
                 */
                "application/json": components["schemas"]["EnrolTotp"];
            };
        };
        responses: {
            200: components["responses"]["TotpSecretResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            409: components["responses"]["ConflictResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            429: components["responses"]["LimitedResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    confirmTotp: {
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
                 *       "code": "492039"
                 *     }
                 */
                "application/json": components["schemas"]["ConfirmTotp"];
            };
        };
        responses: {
            200: components["responses"]["RecoveryCodesResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            409: components["responses"]["ConflictResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            429: components["responses"]["LimitedResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    renewRecoveryCodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RecoveryCodesResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    resetSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The user's id
                 * @example 12
                 */
                id: components["parameters"]["UserId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["DoneResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    stepUp: {
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
                 *       "method": "totp",
                 *       "code": "492039"
                 *     }
                 */
                "application/json": components["schemas"]["StepUp"];
            };
        };
        responses: {
            200: components["responses"]["SteppedUpResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            409: components["responses"]["ConflictResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            429: components["responses"]["LimitedResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    sendStepUpCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["DoneResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            409: components["responses"]["ConflictResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            429: components["responses"]["LimitedResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    listOwnSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["SessionsResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    endOwnSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The session's id
                 * @example 7b1f8f5e-3c43-4c0f-9a53-0b2c4a1d9e10
                 */
                sessionId: components["parameters"]["SessionIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["DoneResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    listUserSessions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The user's id
                 * @example 12
                 */
                id: components["parameters"]["UserId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["SessionsResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    endUserSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The user's id
                 * @example 12
                 */
                id: components["parameters"]["UserId"];
                /**
                 * @description The session's id
                 * @example 7b1f8f5e-3c43-4c0f-9a53-0b2c4a1d9e10
                 */
                sessionId: components["parameters"]["SessionIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["DoneResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    getLiveness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["LivenessResponse"];
            400: components["responses"]["BadRequestResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ReadinessResponse"];
            400: components["responses"]["BadRequestResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    showReport: {
        parameters: {
            query: {
                /** @description Until when the address is valid, in seconds since 1970 (UTC) */
                expires: number;
                /** @description The signature of the id and the time */
                signature: string;
            };
            header?: never;
            path: {
                /**
                 * @description The report's id
                 * @example 7
                 */
                id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            400: components["responses"]["BadRequestResponse"];
            404: components["responses"]["NotFoundResponse"];
            429: components["responses"]["LimitedResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    listBackupFiles: {
        parameters: {
            query: {
                /** @description The `next` of the page before; absent for the newest page */
                cursor?: components["schemas"]["Id"];
                /** @description Records per page */
                limit: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["BackupPageResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    deleteBackup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The backup's id
                 * @example 4
                 */
                id: components["parameters"]["BackupId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["DoneResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            409: components["responses"]["ConflictResponse"];
            413: components["responses"]["TooLargeResponse"];
            415: components["responses"]["UnsupportedMediaResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    getBackupContents: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The backup's id
                 * @example 4
                 */
                id: components["parameters"]["BackupId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["BackupContentsResponse"];
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            409: components["responses"]["ConflictResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
    downloadBackup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The backup's id
                 * @example 4
                 */
                id: components["parameters"]["BackupId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "Content-Disposition": components["headers"]["ContentDisposition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            400: components["responses"]["BadRequestResponse"];
            401: components["responses"]["UnauthenticatedResponse"];
            403: components["responses"]["ForbiddenResponse"];
            404: components["responses"]["NotFoundResponse"];
            409: components["responses"]["ConflictResponse"];
            500: components["responses"]["InternalErrorResponse"];
            503: components["responses"]["UnavailableResponse"];
        };
    };
}
