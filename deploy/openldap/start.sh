#!/bin/sh
# Writes the configuration anew at every start, from LDAP_BASE_DN and the secret `ldap`, and runs slapd.
set -eu
umask 077
password=$(slappasswd -n -s "$(cat /run/secrets/ldap)")
rm -rf /etc/ldap/slapd.d
mkdir -p /etc/ldap/slapd.d /run/slapd
cat >/tmp/slapd.ldif <<LDIF
dn: cn=config
objectClass: olcGlobal
cn: config

dn: cn=module,cn=config
objectClass: olcModuleList
cn: module
olcModulePath: /usr/lib/ldap
olcModuleLoad: back_mdb
olcModuleLoad: argon2
olcModuleLoad: pw-sha2
olcModuleLoad: memberof

dn: cn=schema,cn=config
objectClass: olcSchemaConfig
cn: schema

include: file:///etc/ldap/schema/core.ldif
include: file:///etc/ldap/schema/cosine.ldif
include: file:///etc/ldap/schema/inetorgperson.ldif
include: file:///etc/ldap/schema/nis.ldif

dn: olcDatabase=mdb,cn=config
objectClass: olcDatabaseConfig
objectClass: olcMdbConfig
olcDatabase: mdb
olcDbDirectory: /var/lib/ldap
olcDbMaxSize: 4294967296
olcSuffix: $LDAP_BASE_DN
olcRootDN: cn=admin,$LDAP_BASE_DN
olcRootPW: $password
olcDbIndex: objectClass eq
olcDbIndex: uid,cn,mail,member eq
olcDbIndex: entryUUID,entryCSN eq
olcAccess: to attrs=userPassword by anonymous auth by * none
olcAccess: to * by users read by * none

dn: olcOverlay=memberof,olcDatabase={1}mdb,cn=config
objectClass: olcOverlayConfig
objectClass: olcMemberOf
olcOverlay: memberof
olcMemberOfRefint: TRUE
LDIF
slapadd -n 0 -F /etc/ldap/slapd.d -l /tmp/slapd.ldif
rm /tmp/slapd.ldif
chown -R openldap:openldap /etc/ldap/slapd.d /var/lib/ldap /run/slapd
exec slapd -d 0 -h ldap:/// -u openldap -g openldap -F /etc/ldap/slapd.d
