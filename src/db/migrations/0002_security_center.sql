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
	"code_hash" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"tries_left" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "stepped_up_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "emergencies" ADD CONSTRAINT "emergencies_alert_id_alerts_id_fk" FOREIGN KEY ("alert_id") REFERENCES "public"."alerts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_alert_id_alerts_id_fk" FOREIGN KEY ("alert_id") REFERENCES "public"."alerts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "second_factors" ADD CONSTRAINT "second_factors_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "alerts_open_cause_key" ON "alerts" USING btree ("cause") WHERE "alerts"."handled_at" is null;--> statement-breakpoint
CREATE INDEX "alerts_open_index" ON "alerts" USING btree ("raised_at") WHERE "alerts"."handled_at" is null;--> statement-breakpoint
CREATE INDEX "alerts_raised_index" ON "alerts" USING btree ("raised_at");--> statement-breakpoint
CREATE INDEX "alerts_device_index" ON "alerts" USING btree ("device_id");--> statement-breakpoint
CREATE INDEX "backups_started_index" ON "backups" USING btree ("started_at");--> statement-breakpoint
CREATE UNIQUE INDEX "devices_name_key" ON "devices" USING btree ("name");--> statement-breakpoint
CREATE UNIQUE INDEX "devices_token_key" ON "devices" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "emergencies_alert_index" ON "emergencies" USING btree ("alert_id");--> statement-breakpoint
CREATE INDEX "notifications_due_index" ON "notifications" USING btree ("next_at") WHERE "notifications"."next_at" is not null;--> statement-breakpoint
CREATE INDEX "notifications_alert_index" ON "notifications" USING btree ("alert_id");--> statement-breakpoint
CREATE INDEX "reports_expires_index" ON "reports" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "security_checks_checked_index" ON "security_checks" USING btree ("checked_at");