CREATE EXTENSION IF NOT EXISTS pg_trgm;--> statement-breakpoint
CREATE TABLE "meal_plans" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "meal_plans_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" bigint NOT NULL,
	"date" date NOT NULL,
	"preferences" jsonb NOT NULL,
	"allergies" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"saved_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "meals" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "meals_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"plan_id" bigint NOT NULL,
	"time" text NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"ingredients" jsonb NOT NULL,
	"own_figures" jsonb NOT NULL,
	"recipe_id" integer,
	CONSTRAINT "meals_status_check" CHECK ("meals"."status" in ('pending', 'current', 'done')),
	CONSTRAINT "meals_time_check" CHECK ("meals"."time" ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$')
);
--> statement-breakpoint
CREATE TABLE "api_entries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "api_entries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"category" text NOT NULL,
	"method" text NOT NULL,
	"path" text NOT NULL,
	"remark" text DEFAULT '' NOT NULL,
	"document" text DEFAULT '' NOT NULL,
	"creator" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "field_relations" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "field_relations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"flag" text NOT NULL,
	"attributes" jsonb NOT NULL,
	"creator" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "group_members" (
	"group_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	CONSTRAINT "group_members_group_id_user_id_pk" PRIMARY KEY("group_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "groups" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "groups_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"group_name" text NOT NULL,
	"group_name_key" text NOT NULL,
	"group_type" text NOT NULL,
	"parent_id" bigint,
	"remark" text DEFAULT '' NOT NULL,
	"source" text DEFAULT '' NOT NULL,
	"source_dept_id" text DEFAULT '' NOT NULL,
	"source_dept_parent_id" text DEFAULT '' NOT NULL,
	"source_fields" jsonb,
	"creator" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "groups_type_check" CHECK ("groups"."group_type" in ('ou', 'cn')),
	CONSTRAINT "groups_parent_check" CHECK ("groups"."parent_id" <> "groups"."id")
);
--> statement-breakpoint
CREATE TABLE "menus" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "menus_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"title" text NOT NULL,
	"path" text NOT NULL,
	"component" text DEFAULT '' NOT NULL,
	"parent_id" bigint,
	"icon" text DEFAULT '' NOT NULL,
	"redirect" text DEFAULT '' NOT NULL,
	"active_menu" text DEFAULT '' NOT NULL,
	"sort" integer DEFAULT 999 NOT NULL,
	"status" smallint DEFAULT 1 NOT NULL,
	"hidden" smallint DEFAULT 2 NOT NULL,
	"always_show" smallint DEFAULT 2 NOT NULL,
	"no_cache" smallint DEFAULT 2 NOT NULL,
	"breadcrumb" smallint DEFAULT 1 NOT NULL,
	"creator" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "menus_status_check" CHECK ("menus"."status" in (1, 2)),
	CONSTRAINT "menus_hidden_check" CHECK ("menus"."hidden" in (1, 2)),
	CONSTRAINT "menus_always_show_check" CHECK ("menus"."always_show" in (1, 2)),
	CONSTRAINT "menus_no_cache_check" CHECK ("menus"."no_cache" in (1, 2)),
	CONSTRAINT "menus_breadcrumb_check" CHECK ("menus"."breadcrumb" in (1, 2)),
	CONSTRAINT "menus_sort_check" CHECK ("menus"."sort" between 1 and 999),
	CONSTRAINT "menus_parent_check" CHECK ("menus"."parent_id" <> "menus"."id")
);
--> statement-breakpoint
CREATE TABLE "role_apis" (
	"role_id" bigint NOT NULL,
	"api_id" bigint NOT NULL,
	CONSTRAINT "role_apis_role_id_api_id_pk" PRIMARY KEY("role_id","api_id")
);
--> statement-breakpoint
CREATE TABLE "role_menus" (
	"role_id" bigint NOT NULL,
	"menu_id" bigint NOT NULL,
	CONSTRAINT "role_menus_role_id_menu_id_pk" PRIMARY KEY("role_id","menu_id")
);
--> statement-breakpoint
CREATE TABLE "roles" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "roles_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"keyword" text NOT NULL,
	"remark" text DEFAULT '' NOT NULL,
	"sort" integer DEFAULT 999 NOT NULL,
	"status" smallint DEFAULT 1 NOT NULL,
	"creator" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "roles_status_check" CHECK ("roles"."status" in (1, 2)),
	CONSTRAINT "roles_sort_check" CHECK ("roles"."sort" between 1 and 999)
);
--> statement-breakpoint
CREATE TABLE "user_roles" (
	"user_id" bigint NOT NULL,
	"role_id" bigint NOT NULL,
	CONSTRAINT "user_roles_user_id_role_id_pk" PRIMARY KEY("user_id","role_id")
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "users_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"username" text NOT NULL,
	"username_key" text NOT NULL,
	"nickname" text NOT NULL,
	"given_name" text DEFAULT '' NOT NULL,
	"mail" text DEFAULT '' NOT NULL,
	"mobile" text DEFAULT '' NOT NULL,
	"mobile_key" text DEFAULT '' NOT NULL,
	"job_number" text DEFAULT '' NOT NULL,
	"avatar" text DEFAULT '' NOT NULL,
	"introduction" text DEFAULT '' NOT NULL,
	"position" text DEFAULT '' NOT NULL,
	"postal_address" text DEFAULT '' NOT NULL,
	"departments" text DEFAULT '' NOT NULL,
	"status" smallint DEFAULT 1 NOT NULL,
	"password_hash" text,
	"directory_password" text,
	"source" text DEFAULT '' NOT NULL,
	"source_user_id" text DEFAULT '' NOT NULL,
	"source_union_id" text DEFAULT '' NOT NULL,
	"source_fields" jsonb,
	"creator" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_status_check" CHECK ("users"."status" in (1, 2))
);
--> statement-breakpoint
CREATE TABLE "directory_entries" (
	"kind" text NOT NULL,
	"record_id" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL,
	"synced_version" bigint DEFAULT 0 NOT NULL,
	"deleted" boolean DEFAULT false NOT NULL,
	"dn" text,
	"target_dn" text,
	"entry_csn" text,
	"entry_uuid" text,
	"add_digest" text,
	"kept" jsonb,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp (3) with time zone DEFAULT now(),
	"tried_at" timestamp (3) with time zone,
	"lease_until" timestamp (3) with time zone,
	"lease_owner" text,
	"error" text DEFAULT '' NOT NULL,
	"withdraws_at" timestamp (3) with time zone,
	"late_told_at" timestamp (3) with time zone,
	"password_digest" text,
	"repair_digest" text,
	"repairs" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "directory_entries_kind_record_id_pk" PRIMARY KEY("kind","record_id"),
	CONSTRAINT "directory_entries_kind_check" CHECK ("directory_entries"."kind" in ('user', 'group'))
);
--> statement-breakpoint
CREATE TABLE "ignored_entries" (
	"dn_hash" text PRIMARY KEY NOT NULL,
	"dn" text NOT NULL,
	"creator" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "operation_log_head" (
	"id" smallint PRIMARY KEY DEFAULT 1 NOT NULL,
	"seq" bigint NOT NULL,
	"hash" text NOT NULL,
	"cleaned_to" bigint NOT NULL,
	"last_seal" bigint NOT NULL,
	"cut_seal" bigint DEFAULT 0 NOT NULL,
	"seal" text NOT NULL,
	CONSTRAINT "operation_log_head_check" CHECK ("operation_log_head"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "operation_log_writers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"host" text NOT NULL,
	"pid" integer NOT NULL,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "operation_logs" (
	"seq" bigint PRIMARY KEY NOT NULL,
	"username" text DEFAULT '' NOT NULL,
	"ip" text DEFAULT '' NOT NULL,
	"method" text NOT NULL,
	"path" text NOT NULL,
	"remark" text DEFAULT '' NOT NULL,
	"status" integer NOT NULL,
	"start_time" timestamp (3) with time zone NOT NULL,
	"time_cost" integer NOT NULL,
	"user_agent" text DEFAULT '' NOT NULL,
	"target" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"times" integer DEFAULT 1 NOT NULL,
	"hidden_by" bigint,
	"hash" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "run_changes" (
	"run_id" bigint NOT NULL,
	"seq" integer NOT NULL,
	"action" text NOT NULL,
	"source_id" text NOT NULL,
	"record_id" bigint,
	"version" bigint,
	"name" text NOT NULL,
	"name_key" text NOT NULL,
	"before" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"after" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"entangled" boolean DEFAULT false NOT NULL,
	"source_fields" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"state" text DEFAULT 'planned' NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	CONSTRAINT "run_changes_run_id_seq_pk" PRIMARY KEY("run_id","seq"),
	CONSTRAINT "run_changes_state_check" CHECK ("run_changes"."state" in ('planned', 'done', 'failed', 'held'))
);
--> statement-breakpoint
CREATE UNLOGGED TABLE "run_records" (
	"run_id" bigint NOT NULL,
	"source_id" text NOT NULL,
	"parent_source_id" text DEFAULT '' NOT NULL,
	"department_ids" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"union_id" text DEFAULT '' NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	"fields" jsonb NOT NULL,
	"name_key" text,
	"stem" text DEFAULT '' NOT NULL,
	"stem_key" text DEFAULT '' NOT NULL,
	"mobile_key" text DEFAULT '' NOT NULL,
	"problems" jsonb DEFAULT '[]'::jsonb NOT NULL,
	CONSTRAINT "run_records_run_id_source_id_pk" PRIMARY KEY("run_id","source_id")
);
--> statement-breakpoint
CREATE TABLE "runs" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "runs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"source" text NOT NULL,
	"kind" text NOT NULL,
	"state" text NOT NULL,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp (3) with time zone,
	"total" integer DEFAULT 0 NOT NULL,
	"added" integer DEFAULT 0 NOT NULL,
	"updated" integer DEFAULT 0 NOT NULL,
	"moved" integer DEFAULT 0 NOT NULL,
	"disabled" integer DEFAULT 0 NOT NULL,
	"unchanged" integer DEFAULT 0 NOT NULL,
	"skipped" integer DEFAULT 0 NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	"held" integer DEFAULT 0 NOT NULL,
	"problems" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"creator" text DEFAULT '' NOT NULL,
	"dry_run" boolean DEFAULT false NOT NULL,
	"exclusive" boolean DEFAULT true NOT NULL,
	"phase" text DEFAULT '' NOT NULL,
	"progress" integer DEFAULT 0 NOT NULL,
	"progress_of" integer,
	"plan_hash" text DEFAULT '' NOT NULL,
	"gaps" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"held_because" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"lease_owner" uuid,
	"lease_until" timestamp (3) with time zone,
	"decided_by" text DEFAULT '' NOT NULL,
	"decided_at" timestamp (3) with time zone,
	CONSTRAINT "runs_state_check" CHECK ("runs"."state" in ('running', 'done', 'held', 'failed', 'planned', 'discarded'))
);
--> statement-breakpoint
CREATE TABLE "alerts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "alerts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"cause" text NOT NULL,
	"title" text NOT NULL,
	"description" text NOT NULL,
	"level" text NOT NULL,
	"location" text DEFAULT '' NOT NULL,
	"device_id" bigint,
	"raised_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"times" integer DEFAULT 1 NOT NULL,
	"handled_at" timestamp (3) with time zone,
	"handled_by" text DEFAULT '' NOT NULL,
	"escalated_at" timestamp (3) with time zone,
	CONSTRAINT "alerts_level_check" CHECK ("alerts"."level" in ('info', 'warning', 'danger'))
);
--> statement-breakpoint
CREATE TABLE "backups" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "backups_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"type" text NOT NULL,
	"status" text NOT NULL,
	"path" text NOT NULL,
	"size" bigint DEFAULT 0 NOT NULL,
	"sha256" text DEFAULT '' NOT NULL,
	"encrypted" boolean DEFAULT false NOT NULL,
	"format_version" integer NOT NULL,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp (3) with time zone,
	"expired_at" timestamp (3) with time zone,
	"error" text DEFAULT '' NOT NULL,
	"creator" text DEFAULT '' NOT NULL,
	"lease_owner" uuid,
	"lease_until" timestamp (3) with time zone,
	CONSTRAINT "backups_type_check" CHECK ("backups"."type" in ('auto', 'manual')),
	CONSTRAINT "backups_status_check" CHECK ("backups"."status" in ('running', 'success', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "devices" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "devices_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"type" text NOT NULL,
	"location" text DEFAULT '' NOT NULL,
	"status" text NOT NULL,
	"battery" smallint,
	"battery_low" boolean DEFAULT false NOT NULL,
	"token_hash" text NOT NULL,
	"last_heartbeat_at" timestamp (3) with time zone,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"creator" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "devices_status_check" CHECK ("devices"."status" in ('online', 'offline')),
	CONSTRAINT "devices_battery_check" CHECK ("devices"."battery" between 0 and 100)
);
--> statement-breakpoint
CREATE TABLE "emergencies" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "emergencies_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"type" text NOT NULL,
	"description" text NOT NULL,
	"alert_id" bigint,
	"creator" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notifications" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "notifications_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"channel" text NOT NULL,
	"alert_id" bigint,
	"content" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp (3) with time zone DEFAULT now(),
	"delivered_at" timestamp (3) with time zone,
	"error" text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"user_id" bigint NOT NULL,
	"code_hash" text NOT NULL,
	"used_at" timestamp (3) with time zone,
	CONSTRAINT "recovery_codes_user_id_code_hash_pk" PRIMARY KEY("user_id","code_hash")
);
--> statement-breakpoint
CREATE TABLE "reports" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "reports_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"page" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"creator" text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "second_factors" (
	"user_id" bigint PRIMARY KEY NOT NULL,
	"secret" text NOT NULL,
	"confirmed_at" timestamp (3) with time zone,
	"last_step" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "security_checks" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "security_checks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"checked_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"score" smallint NOT NULL,
	"issues" jsonb NOT NULL,
	"creator" text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "step_up_codes" (
	"session_id" uuid PRIMARY KEY NOT NULL,
	"mail_key" text DEFAULT '' NOT NULL,
	"code_hash" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"tries_left" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "facts" (
	"name" text PRIMARY KEY NOT NULL,
	"value" jsonb NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "schedules" (
	"name" text PRIMARY KEY NOT NULL,
	"next_run_at" timestamp (3) with time zone NOT NULL,
	"lease_until" timestamp (3) with time zone,
	"lease_owner" text,
	"last_ok_at" timestamp (3) with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"last_error" text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mail_codes" (
	"user_id" bigint PRIMARY KEY NOT NULL,
	"mail_key" text DEFAULT '' NOT NULL,
	"code_hash" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"tries_left" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" bigint NOT NULL,
	"token_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"stepped_up_at" timestamp (3) with time zone,
	"end_reason" text DEFAULT '' NOT NULL,
	"address" text DEFAULT '' NOT NULL,
	"user_agent" text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "throttles" (
	"key" text PRIMARY KEY NOT NULL,
	"failed_at" timestamp (3) with time zone[] DEFAULT '{}' NOT NULL,
	"pending" integer DEFAULT 0 NOT NULL,
	"locked_until" timestamp (3) with time zone,
	"last_attempt_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "meal_plans" ADD CONSTRAINT "meal_plans_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meals" ADD CONSTRAINT "meals_plan_id_meal_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."meal_plans"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_members" ADD CONSTRAINT "group_members_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_members" ADD CONSTRAINT "group_members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "groups" ADD CONSTRAINT "groups_parent_id_groups_id_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."groups"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "menus" ADD CONSTRAINT "menus_parent_id_menus_id_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."menus"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "role_apis" ADD CONSTRAINT "role_apis_role_id_roles_id_fk" FOREIGN KEY ("role_id") REFERENCES "public"."roles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "role_apis" ADD CONSTRAINT "role_apis_api_id_api_entries_id_fk" FOREIGN KEY ("api_id") REFERENCES "public"."api_entries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "role_menus" ADD CONSTRAINT "role_menus_role_id_roles_id_fk" FOREIGN KEY ("role_id") REFERENCES "public"."roles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "role_menus" ADD CONSTRAINT "role_menus_menu_id_menus_id_fk" FOREIGN KEY ("menu_id") REFERENCES "public"."menus"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_roles" ADD CONSTRAINT "user_roles_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_roles" ADD CONSTRAINT "user_roles_role_id_roles_id_fk" FOREIGN KEY ("role_id") REFERENCES "public"."roles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "run_changes" ADD CONSTRAINT "run_changes_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "emergencies" ADD CONSTRAINT "emergencies_alert_id_alerts_id_fk" FOREIGN KEY ("alert_id") REFERENCES "public"."alerts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_alert_id_alerts_id_fk" FOREIGN KEY ("alert_id") REFERENCES "public"."alerts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "second_factors" ADD CONSTRAINT "second_factors_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_codes" ADD CONSTRAINT "mail_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "meal_plans_user_date_key" ON "meal_plans" USING btree ("user_id","date");--> statement-breakpoint
CREATE INDEX "meal_plans_user_saved_index" ON "meal_plans" USING btree ("user_id","saved_at");--> statement-breakpoint
CREATE INDEX "meals_plan_index" ON "meals" USING btree ("plan_id");--> statement-breakpoint
CREATE UNIQUE INDEX "meals_current_key" ON "meals" USING btree ("plan_id") WHERE "meals"."status" = 'current';--> statement-breakpoint
CREATE UNIQUE INDEX "api_entries_operation_key" ON "api_entries" USING btree ("method","path");--> statement-breakpoint
CREATE INDEX "api_entries_search_index" ON "api_entries" USING gin ("method" gin_trgm_ops,"path" gin_trgm_ops,"category" gin_trgm_ops,"creator" gin_trgm_ops);--> statement-breakpoint
CREATE UNIQUE INDEX "field_relations_flag_key" ON "field_relations" USING btree ("flag");--> statement-breakpoint
CREATE INDEX "group_members_user_index" ON "group_members" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "groups_name_key" ON "groups" USING btree (coalesce("parent_id", 0),"group_name_key");--> statement-breakpoint
CREATE UNIQUE INDEX "groups_source_key" ON "groups" USING btree ("source","source_dept_id") WHERE "groups"."source_dept_id" <> '';--> statement-breakpoint
CREATE INDEX "groups_parent_index" ON "groups" USING btree ("parent_id");--> statement-breakpoint
CREATE INDEX "groups_search_index" ON "groups" USING gin ("group_name" gin_trgm_ops,"remark" gin_trgm_ops);--> statement-breakpoint
CREATE UNIQUE INDEX "menus_name_key" ON "menus" USING btree ("name");--> statement-breakpoint
CREATE INDEX "menus_parent_index" ON "menus" USING btree ("parent_id");--> statement-breakpoint
CREATE INDEX "role_apis_api_index" ON "role_apis" USING btree ("api_id");--> statement-breakpoint
CREATE INDEX "role_menus_menu_index" ON "role_menus" USING btree ("menu_id");--> statement-breakpoint
CREATE UNIQUE INDEX "roles_name_key" ON "roles" USING btree ("name");--> statement-breakpoint
CREATE UNIQUE INDEX "roles_keyword_key" ON "roles" USING btree ("keyword");--> statement-breakpoint
CREATE INDEX "roles_status_index" ON "roles" USING btree ("status","id");--> statement-breakpoint
CREATE INDEX "roles_search_index" ON "roles" USING gin ("name" gin_trgm_ops,"keyword" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "user_roles_role_index" ON "user_roles" USING btree ("role_id");--> statement-breakpoint
CREATE UNIQUE INDEX "users_username_key" ON "users" USING btree ("username_key");--> statement-breakpoint
CREATE UNIQUE INDEX "users_mail_key" ON "users" USING btree (translate("mail", 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) WHERE "users"."mail" <> '';--> statement-breakpoint
CREATE UNIQUE INDEX "users_mobile_key" ON "users" USING btree ("mobile_key") WHERE "users"."mobile_key" <> '';--> statement-breakpoint
CREATE UNIQUE INDEX "users_job_number_key" ON "users" USING btree ("job_number") WHERE "users"."job_number" <> '';--> statement-breakpoint
CREATE UNIQUE INDEX "users_source_key" ON "users" USING btree ("source","source_user_id") WHERE "users"."source_user_id" <> '';--> statement-breakpoint
CREATE INDEX "users_status_index" ON "users" USING btree ("status","id");--> statement-breakpoint
CREATE INDEX "users_search_index" ON "users" USING gin ("username" gin_trgm_ops,"nickname" gin_trgm_ops,"given_name" gin_trgm_ops,"mail" gin_trgm_ops,"mobile" gin_trgm_ops,"job_number" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "directory_entries_due_index" ON "directory_entries" USING btree ("next_at") WHERE "directory_entries"."version" <> "directory_entries"."synced_version";--> statement-breakpoint
CREATE INDEX "directory_entries_pending_index" ON "directory_entries" USING btree ("kind","record_id") WHERE "directory_entries"."version" <> "directory_entries"."synced_version";--> statement-breakpoint
CREATE INDEX "directory_entries_dn_index" ON "directory_entries" USING hash (lower("dn"));--> statement-breakpoint
CREATE INDEX "directory_entries_target_dn_index" ON "directory_entries" USING hash (lower("target_dn")) WHERE "directory_entries"."target_dn" is not null;--> statement-breakpoint
CREATE INDEX "directory_entries_withdraws_index" ON "directory_entries" USING btree ("withdraws_at") WHERE "directory_entries"."withdraws_at" is not null;--> statement-breakpoint
CREATE INDEX "operation_logs_visible_index" ON "operation_logs" USING btree ("seq") WHERE "operation_logs"."hidden_by" is null;--> statement-breakpoint
CREATE INDEX "operation_logs_status_index" ON "operation_logs" USING btree ("status","seq") WHERE "operation_logs"."hidden_by" is null;--> statement-breakpoint
CREATE INDEX "operation_logs_hidden_index" ON "operation_logs" USING btree ("hidden_by") WHERE "operation_logs"."hidden_by" is not null;--> statement-breakpoint
CREATE INDEX "operation_logs_search_index" ON "operation_logs" USING gin ("username" gin_trgm_ops,"ip" gin_trgm_ops,"path" gin_trgm_ops,"method" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "runs_source_index" ON "runs" USING btree ("source","kind","id");--> statement-breakpoint
CREATE UNIQUE INDEX "runs_running_key" ON "runs" USING btree ("source") WHERE "runs"."state" = 'running' and "runs"."exclusive";--> statement-breakpoint
CREATE UNIQUE INDEX "alerts_open_cause_key" ON "alerts" USING btree ("cause") WHERE "alerts"."handled_at" is null;--> statement-breakpoint
CREATE INDEX "alerts_open_index" ON "alerts" USING btree ("raised_at") WHERE "alerts"."handled_at" is null;--> statement-breakpoint
CREATE INDEX "alerts_raised_index" ON "alerts" USING btree ("raised_at");--> statement-breakpoint
CREATE INDEX "alerts_device_index" ON "alerts" USING btree ("device_id");--> statement-breakpoint
CREATE INDEX "backups_started_index" ON "backups" USING btree ("started_at");--> statement-breakpoint
CREATE UNIQUE INDEX "backups_running_key" ON "backups" USING btree ("status") WHERE "backups"."status" = 'running';--> statement-breakpoint
CREATE UNIQUE INDEX "devices_name_key" ON "devices" USING btree ("name");--> statement-breakpoint
CREATE UNIQUE INDEX "devices_token_key" ON "devices" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "emergencies_alert_index" ON "emergencies" USING btree ("alert_id");--> statement-breakpoint
CREATE INDEX "notifications_due_index" ON "notifications" USING btree ("next_at") WHERE "notifications"."next_at" is not null;--> statement-breakpoint
CREATE INDEX "notifications_alert_index" ON "notifications" USING btree ("alert_id");--> statement-breakpoint
CREATE INDEX "reports_expires_index" ON "reports" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "security_checks_checked_index" ON "security_checks" USING btree ("checked_at");--> statement-breakpoint
CREATE INDEX "sessions_user_index" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_last_used_index" ON "sessions" USING btree ("last_used_at");--> statement-breakpoint
CREATE INDEX "throttles_last_attempt_index" ON "throttles" USING btree ("last_attempt_at");