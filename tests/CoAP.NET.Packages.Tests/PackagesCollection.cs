namespace CoAP.Packages.Tests;

[CollectionDefinition("Packages")]
public sealed class PackagesCollection : ICollectionFixture<PackedPackages>;
