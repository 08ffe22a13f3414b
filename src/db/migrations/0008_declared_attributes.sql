CREATE TABLE "declared_attributes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "declared_attributes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"label_en" text NOT NULL,
	"label_zh" text NOT NULL,
	"type" text NOT NULL,
	"multiple" boolean DEFAULT false NOT NULL,
	"minimum" integer,
	"maximum" integer,
	"searched" boolean DEFAULT false NOT NULL,
	"own" text DEFAULT 'see' NOT NULL,
	"see_roles" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"edit_roles" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"ldap_attribute" text DEFAULT '' NOT NULL,
	"object_class" text DEFAULT '' NOT NULL,
	"ldap_syntax" text DEFAULT '' NOT NULL,
	"removed_at" timestamp (3) with time zone,
	"creator" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "declared_attributes_kind_check" CHECK ("declared_attributes"."kind" in ('user', 'group')),
	CONSTRAINT "declared_attributes_own_check" CHECK ("declared_attributes"."own" in ('hidden', 'see', 'edit'))
);
--> statement-breakpoint
ALTER TABLE "groups" ADD COLUMN "attributes" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "attributes" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "declared_attributes_name_key" ON "declared_attributes" USING btree ("kind",lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "declared_attributes_ldap_key" ON "declared_attributes" USING btree ("kind",lower("ldap_attribute")) WHERE "declared_attributes"."ldap_attribute" <> '' and "declared_attributes"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "groups_attributes_index" ON "groups" USING gin (("attributes"::text) gin_trgm_ops) WHERE "groups"."attributes" <> '{}'::jsonb;--> statement-breakpoint
CREATE INDEX "users_attributes_index" ON "users" USING gin (("attributes"::text) gin_trgm_ops) WHERE "users"."attributes" <> '{}'::jsonb;