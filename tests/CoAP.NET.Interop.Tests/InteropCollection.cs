namespace CoAP.Interop.Tests;

/// <summary>Tests that need the process for themselves, because they count what all of it does.</summary>
[CollectionDefinition("Interop", DisableParallelization = true)]
public sealed class InteropCollection;
