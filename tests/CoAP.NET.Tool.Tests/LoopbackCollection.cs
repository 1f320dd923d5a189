namespace CoAP.Tool.Tests;

/// <summary>Tests with real sockets. They run one after the other.</summary>
[CollectionDefinition("Loopback", DisableParallelization = true)]
public sealed class LoopbackCollection;
