namespace CoAP.Interop.Tests.Browser;

/// <summary>Tests in a browser. They run one after the other, because they share it.</summary>
[CollectionDefinition("Browser")]
public sealed class BrowserCollection : ICollectionFixture<SharedBrowser>;
