namespace CoAP.Testing;

/// <summary>Thrown by a <see cref="ScriptedPeer"/> if the endpoint under test did something other than the script says.</summary>
/// <param name="message">What was expected, what was received, and the transcript of the network.</param>
public sealed class ScriptException(string message) : Exception(message);
