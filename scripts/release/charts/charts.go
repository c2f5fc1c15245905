// Package charts contains the tests of what is handed to others who start containers: the
// Helm chart and the compose file, read by the libraries of those who read them.
package charts
