namespace CoAP.Interop.Tests;

/// <summary>The tests that start programs; one after the other, so that their time limits mean something.</summary>
[CollectionDefinition("Interop", DisableParallelization = true)]
public sealed class InteropCollection;
